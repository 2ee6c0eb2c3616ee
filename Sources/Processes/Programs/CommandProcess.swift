public import Core
public import Foundation

/// A command that runs in a separate process group.
public struct CommandProcess: Sendable {
  /// The process ID of the command, which is also the ID of its group.
  public let id: pid_t

  /// Starts the command that consists of the last arguments of this process.
  ///
  /// The command inherits this process's environment, standard input and ignored signals.
  ///
  /// - Parameters:
  ///   - count: The number of arguments that form the command, including the program.
  ///   - output: The descriptor of the command's standard output.
  ///   - errors: The descriptor of the command's standard error.
  ///   - terminal: The terminal whose foreground group the command's group becomes; nil for none.
  ///   - setsTerminal: `true` if the command may change the modes of a terminal of which it is not
  ///     the foreground group.
  ///   - guardian: The guardian, which is notified of the group before the command runs.
  /// - Returns: The running command.
  /// - Throws: `NotFound` of kind `noProgram` if the command does not exist; `PermissionDenied` of
  ///   kind `notRunnable` if the command cannot be run.
  public static func start(
    _ count: Int, output: Int32, errors: Int32, foreground terminal: Int32?,
    setsTerminal: Bool, guardian: Guardian
  ) throws(Failure) -> CommandProcess {
    guard count > 0 else { throw Failure(.badUsage, "there is no command") }
    var spawn = Spawn(.ownArguments(last: count))
    (spawn.output, spawn.errors) = (output, errors)
    (spawn.terminal, spawn.guardian) = (terminal, guardian.descriptor)
    (spawn.hasOwnGroup, spawn.setsTerminal) = (true, setsTerminal)
    do {
      return CommandProcess(id: try spawn.start())
    } catch {
      throw Failure(
        error.code == ENOENT ? .notFound : .permissionDenied,
        "cannot run '\(spawn.name)': \(error.reason)",
        kind: error.code == ENOENT ? .noProgram : .notRunnable, input: spawn.name)
    }
  }

  /// Sends the given signal to the command's group, if the group still exists.
  public func signal(_ number: Int32) { kill(-id, number) }

  /// `true` if the command catches SIGTSTP, SIGTTIN or SIGTTOU.
  ///
  /// Such a command may then stop itself by SIGSTOP. The signals are read from proc(5). On a system
  /// without proc(5), the value is `true`.
  public var catchesTerminalStops: Bool {
    guard let status = FileManager.default.contents(atPath: "/proc/\(id)/status"),
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
        .first(where: { $0.hasPrefix("SigCgt:") }),
      let caught = line.split(separator: "\t").last.flatMap({ UInt64($0, radix: 16) })
    else { return true }
    return [SIGTSTP, SIGTTIN, SIGTTOU].contains { caught >> UInt64($0 - 1) & 1 == 1 }
  }

  /// `true` if the command's group still has at least one process.
  public var groupIsThere: Bool { kill(-id, 0) == 0 || errno == EPERM }
}
