public import Core
import Foundation

/// A command that uses the terminal as if the user had typed it.
public enum TerminalCommand {
  /// Runs a command in our group with our streams and environment, and waits until it ends.
  ///
  /// - Parameter arguments: The program, which is looked up in our PATH, and its arguments.
  /// - Returns: The ending of the command.
  /// - Throws: `BadConfiguration` if the command cannot be started, of the kind `noProgram` if it
  ///   does not exist.
  public static func run(_ arguments: [String]) throws(Failure) -> ProcessEnding {
    var spawn = Spawn(.words(arguments))
    spawn.resetsSignals = true
    let process = try spawn.startConfigured()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return ProcessEnding(waitStatus: status)
  }
}
