public import Core
import Foundation

/// A command that has the terminal for a while, as if the user had typed it.
public enum TerminalCommand {
  /// Runs it in our group, with our standard streams and our environment, and waits for its end.
  ///
  /// - Parameter arguments: The program, looked up in our PATH, and its arguments.
  /// - Returns: How it ended.
  /// - Throws: `BadConfiguration` when it cannot be started, of the kind `noProgram` when there is no
  ///   such program.
  public static func run(_ arguments: [String]) throws(Failure) -> ProcessEnding {
    var spawn = Spawn(.words(arguments))
    spawn.resetsSignals = true
    let process: pid_t
    do {
      process = try spawn.start()
    } catch {
      throw Failure(
        .badConfiguration, "cannot run '\(spawn.name)': \(error.reason)",
        kind: error.code == ENOENT ? .noProgram : nil)
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return ProcessEnding(waitStatus: status)
  }
}
