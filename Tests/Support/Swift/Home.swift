public import Core
import Foundation

/// A folder of a test's own, removed with it, in which everything of ours lives.
public final class Home: Sendable {
  /// The folder.
  public let path: String

  /// Makes the folder.
  public init() throws {
    path = NSTemporaryDirectory() + "agentpipes-test-" + Identifier.make()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// What tools find by their environment.
  public var directories: Directories { Directories(environment: ["AGENTPIPES_HOME": path]) }

  /// Writes a file and gives its path.
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

  /// The permissions of a file.
  public func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}
