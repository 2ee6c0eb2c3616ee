import Foundation
import Testing

/// jq, whose answer about each line is the one to have.
enum JQ {
  /// The numbers of the lines, from 0, of which a jq condition is true.
  static func matching(_ condition: String, _ lines: [[UInt8]]) throws -> Set<Int> {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "agentpipes-jq-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let input = folder.appending(path: "input")
    let output = folder.appending(path: "output")
    try Data(lines.joined(separator: [0x0A]) + [0x0A]).write(to: input)
    try Data().write(to: output)
    let program = """
      foreach inputs as $text (-1; . + 1; . as $line | $text
        | fromjson? | select(type == "object") | select(\(condition)) | $line)
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["jq", "-nR", program]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let text = try String(contentsOf: output, encoding: .utf8)
    return Set(text.split(separator: "\n").compactMap { Int($0) })
  }
}
