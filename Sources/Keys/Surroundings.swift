public import Core

/// The context in which a tool works.
///
/// It consists of files, settings, secrets, the receiver of notices, and the interruption that ends
/// the tool.
public protocol Surroundings: Sendable {
  /// The process's environment.
  var environment: [String: String] { get }
  /// The folders of the tool's files.
  var directories: Directories { get }
  /// The interruption that ends the process.
  var interruption: Interruption { get }
  /// Reads the configuration.
  ///
  /// - Throws: `BadConfiguration` if the configuration is invalid; the failure names the line.
  func configuration() throws(Failure) -> Settings
  /// Returns the store of secrets for the given configuration.
  func keys(_ configuration: Settings) -> KeyStore
  /// Reports the given notice from a library.
  func report(_ notice: Notice)
}
