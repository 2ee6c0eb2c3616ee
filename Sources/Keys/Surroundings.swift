public import Core

/// The context of a tool's work: its files, its settings and secrets, the receiver of notices, and
/// the interruption that ends it.
public protocol Surroundings: Sendable {
  /// The process's environment.
  var environment: [String: String] { get }
  /// The folders of the tool's files.
  var directories: Directories { get }
  /// The interruption that ends the process.
  var interruption: Interruption { get }
  /// Reads the configuration.
  ///
  /// - Throws: `BadConfiguration`, naming the line, if the configuration is invalid.
  func configuration() throws(Failure) -> Settings
  /// Returns the store of secrets for the given configuration.
  func keys(_ configuration: Settings) -> KeyStore
  /// Reports a notice from a library.
  func report(_ notice: Notice)
}
