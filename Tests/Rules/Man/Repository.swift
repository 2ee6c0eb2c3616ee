import Foundation
import TestSupport
import Testing

/// The repository that these tests were built from, and the tools that were built with them.
enum Repository {
  static let root = Checkout.root

  /// Every executable's name, after its folder; libraries begin with a capital.
  static let tools: [String] = {
    let sources = root.appending(path: "Sources").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []
    return names.filter { $0.first?.isLowercase == true }.sorted()
  }()

  /// The text of a file, by its path from the root.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The names in a folder, sorted.
  static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
  }

  /// The paths of all files under a folder whose names end in one of some ways, sorted.
  static func files(_ folder: String, ending: [String]) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { path in ending.contains(where: path.hasSuffix) }.map { "\(folder)/\($0)" }.sorted()
  }

  /// What a tool prints for some arguments.
  static func output(of tool: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    let path = "\(Checkout.tools)/\(tool)"
    try #require(
      FileManager.default.isExecutableFile(atPath: path),
      "'\(tool)' is not built: run 'swift build'")
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "'\(tool) \(arguments.joined(separator: " "))'")
    return output
  }
}
