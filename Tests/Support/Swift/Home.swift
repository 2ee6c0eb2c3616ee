public import Core
import Foundation

/// A temporary folder for all files of one test.
public final class Home: Sendable {
  /// The folder.
  public let path: String

  /// Creates the folder.
  public init() throws {
    path = NSTemporaryDirectory() + "agentpipes-test-" + Identifier.make()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The directories that tools derive from their environment.
  public var directories: Directories { Directories(environment: ["AGENTPIPES_HOME": path]) }

  /// Writes a file and returns its path.
  public func file(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let full = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: full))
    try setMode(full, mode)
    return full
  }

  /// Sets the permissions of a file.
  public func setMode(_ path: String, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// Returns the permissions of a file.
  public func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}
