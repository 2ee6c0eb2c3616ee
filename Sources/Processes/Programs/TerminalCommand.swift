public import Core
import Foundation

/// A command that uses the terminal as if the user had typed it.
public enum TerminalCommand {
  /// Runs a command and waits until it ends.
  ///
  /// The command has this process's group, streams and environment.
  ///
  /// - Parameter arguments: The program, which is looked up in PATH, and its arguments.
  /// - Returns: The way the command ended.
  /// - Throws: `BadConfiguration` if the command cannot be started. The failure has the kind
  ///   `noProgram` if the command does not exist.
  public static func run(_ arguments: [String]) throws(Failure) -> ProcessEnding {
    var spawn = Spawn(.words(arguments))
    spawn.resetsSignals = true
    let process = try spawn.startConfigured()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return ProcessEnding(waitStatus: status)
  }
}
