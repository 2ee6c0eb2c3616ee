import Core
import Foundation

/// A folder of a test's own, removed with it, in which everything of ours lives.
final class Home: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "core-" + Identifier.make()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var directories: Directories { Directories(environment: ["AGENTPIPES_HOME": path]) }

  /// Writes a file and gives its path.
  func file(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let full = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: full))
    try setMode(full, mode)
    return full
  }

  func setMode(_ path: String, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}

/// A built executable of this package, beside the test bundle.
func tool(_ name: String) -> String {
  let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
  let folders = [bundle, Bundle.main.executablePath, CommandLine.arguments.first]
    .compactMap { $0.map { ($0 as NSString).deletingLastPathComponent } }
  return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 } ?? name
}
