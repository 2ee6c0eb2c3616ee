public import Core

/// Tells what a tool runs in: its files, its settings and secrets, who is told what goes wrong, and what
/// ends it.
public protocol Surroundings: Sendable {
  /// The process's environment.
  var environment: [String: String] { get }
  /// The directories of files.
  var directories: Directories { get }
  /// Tells when the process is to end.
  var interruption: Interruption { get }
  /// Reads the configuration.
  ///
  /// - Throws: `BadConfiguration` that names the line.
  func configuration() throws(Failure) -> Settings
  /// Finds the place of secrets.
  func keys(_ configuration: Settings) -> KeyStore
  /// Reports a notice of a library.
  func note(_ notice: Notice)
}
