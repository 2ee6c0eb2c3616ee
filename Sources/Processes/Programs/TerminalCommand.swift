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
    let process = try spawn.startConfigured()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return ProcessEnding(waitStatus: status)
  }
}
