public import Core
public import Foundation

/// A command that runs in a process group of its own.
public struct CommandProcess: Sendable {
  /// The process ID, which is also the ID of its group.
  public let id: pid_t

  /// Starts the command that the last arguments of this process name.
  ///
  /// The command inherits our environment, standard input and ignored signals.
  ///
  /// - Parameters:
  ///   - count: The number of arguments that form the command.
  ///   - output: Its standard output.
  ///   - errors: Its standard error.
  ///   - terminal: The terminal in whose foreground its group runs, if any.
  ///   - setsTerminal: `true` if it may set the modes of a terminal that it does not own.
  ///   - guardian: The guardian that learns of the group before the command runs.
  /// - Returns: The running process.
  /// - Throws: `NotFound` of the kind `noProgram` if the command does not exist, `PermissionDenied`
  ///   of the kind `notRunnable` if it cannot be run.
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

  /// Sends a signal to the whole group, if the group still exists.
  public func signal(_ number: Int32) { kill(-id, number) }

  /// `true` if the command catches SIGTSTP, SIGTTIN or SIGTTOU, and so may stop by another signal.
  ///
  /// Reads proc(5); `true` on a system without it.
  public var catchesTerminalStops: Bool {
    guard let status = FileManager.default.contents(atPath: "/proc/\(id)/status"),
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
        .first(where: { $0.hasPrefix("SigCgt:") }),
      let caught = line.split(separator: "\t").last.flatMap({ UInt64($0, radix: 16) })
    else { return true }
    return [SIGTSTP, SIGTTIN, SIGTTOU].contains { caught >> UInt64($0 - 1) & 1 == 1 }
  }

  /// `true` if the group still has a process.
  public var groupIsThere: Bool { kill(-id, 0) == 0 || errno == EPERM }
}
