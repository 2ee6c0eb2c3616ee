import CProcess
import Core
import Foundation

/// A command that runs in a process group of its own.
struct CommandProcess: Sendable {
  /// Its process, and its group.
  let id: pid_t

  /// The end of `main`'s arguments, byte for byte: a text would not hold all of them.
  ///
  /// - Parameter count: How many of the last arguments are the command's.
  /// - Returns: Where they begin; null is behind the last one.
  private static func arguments(
    _ count: Int
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    CommandLine.unsafeArgv + max(0, Int(CommandLine.argc) - count)
  }

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
  static func start(
    _ count: Int, output: Int32, errors: Int32, foreground terminal: Int32?, guardian: Guardian
  ) throws(Failure) -> CommandProcess {
    let arguments = arguments(count)
    guard let program = arguments[0] else { throw Failure(.badUsage, "there is no command") }
    var process = pid_t()
    var code: Int32
    var tries = 0
    repeat {
      // A program that is just being replaced is busy for a moment (execve(2), ETXTBSY).
      if tries > 0 { usleep(10_000) }
      tries += 1
      code = process_start(
        arguments, output, errors, terminal ?? -1, guardian.descriptor, &process)
    } while code == ETXTBSY && tries < 50
    guard code == 0 else {
      let name = String(cString: program)
      throw Failure(
        code == ENOENT ? .notFound : .permissionDenied,
        "cannot run '\(name)': \(String(cString: strerror(code)))",
        kind: code == ENOENT ? "noProgram" : "notRunnable", input: name)
    }
    return CommandProcess(id: process)
  }

  /// Sends a signal to the whole group; one that is gone gets none.
  func signal(_ number: Int32) { kill(-id, number) }

  /// Whether a process of the group is still there.
  var groupIsThere: Bool { kill(-id, 0) == 0 || errno == EPERM }
}
