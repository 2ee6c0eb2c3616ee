public import Core
public import Foundation

/// A command that runs in a process group of its own.
public struct CommandProcess: Sendable {
  /// Its process, and its group.
  public let id: pid_t

  /// Starts the command that the last arguments of this process are.
  ///
  /// Its environment and its standard input are ours, as are the signals that are ignored.
  ///
  /// - Parameters:
  ///   - count: How many arguments it is.
  ///   - output: Its standard output.
  ///   - errors: Its standard error.
  ///   - terminal: The terminal that its group is to have in the foreground, if any.
  ///   - guardian: Who is told of the group before the command runs.
  /// - Returns: The process that runs it.
  /// - Throws: `NotFound` of the kind `noProgram` when there is no such command, `PermissionDenied`
  ///   of the kind `notRunnable` when it cannot be run.
  public static func start(
    _ count: Int, output: Int32, errors: Int32, foreground terminal: Int32?, guardian: Guardian
  ) throws(Failure) -> CommandProcess {
    guard count > 0 else { throw Failure(.badUsage, "there is no command") }
    var spawn = Spawn(.ownArguments(last: count))
    (spawn.output, spawn.errors) = (output, errors)
    (spawn.terminal, spawn.guardian) = (terminal, guardian.descriptor)
    spawn.hasOwnGroup = true
    do {
      return CommandProcess(id: try spawn.start())
    } catch {
      throw Failure(
        error.code == ENOENT ? .notFound : .permissionDenied,
        "cannot run '\(spawn.name)': \(error.reason)",
        kind: error.code == ENOENT ? .noProgram : .notRunnable, input: spawn.name)
    }
  }

  /// Sends a signal to the whole group; one that is gone gets none.
  public func signal(_ number: Int32) { kill(-id, number) }

  /// Whether a process of the group is still there.
  public var groupIsThere: Bool { kill(-id, 0) == 0 || errno == EPERM }
}
