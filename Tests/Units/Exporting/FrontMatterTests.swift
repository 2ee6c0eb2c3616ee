import Core
import Exporting
import Foundation
import TestSupport
import Testing

/// Reads front matter with PyYAML, where there is one.
private enum PyYAML {
  static let isThere = (try? run("", with: "import yaml")) != nil

  /// The front matter of each file, in order.
  static func read(_ paths: [String]) throws -> [[String: Any]] {
    let script = """
      import json, sys, yaml
      for path in json.load(sys.stdin):
          text = open(path, encoding="utf-8", newline="").read()
          assert text.startswith("---\\n")
          print(json.dumps(yaml.safe_load(text[4:text.index("\\n---\\n", 3) + 1])))
      """
    let input = String(decoding: try JSONEncoder().encode(paths), as: UTF8.self)
    return try run(input, with: script).split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
  }

  private struct Failed: Error {}

  private static func run(_ input: String, with script: String) throws -> String {
    let process = Process()
    let (stdin, stdout) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script]
    process.standardInput = stdin
    process.standardOutput = stdout
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed() }
    return String(decoding: output, as: UTF8.self)
  }
}

@Suite(.enabled(if: PyYAML.isThere, "python3 has no PyYAML")) struct `Front matter in PyYAML` {
  @Test func `Random strings parse back to themselves`() throws {
    let scratch = try Scratch()
    var random = SeededRandom(seed: 26)
    var records: [Artifact] = []
    for index in 0..<500 {
      let labels = Dictionary(
        (0..<3).map { _ in (random.text(), random.text()) }, uniquingKeysWith: { first, _ in first }
      )
      records.append(artifact(id: "\(index)" + random.text(), title: random.text(), labels: labels))
    }
    let paths = try records.map { try scratch.export($0).path }
    for (read, record) in zip(try PyYAML.read(paths), records) {
      // Compared by scalars: String's own equality would forgive another normal form.
      #expect(exact(read["id"] as? String) == exact(record.id))
      #expect(exact(read["title"] as? String) == exact(record.title))
      let labels = read["labels"] as? [String: String] ?? [:]
      #expect(
        labels.map { [exact($0.key), exact($0.value)] }.sorted(by: lexicographically)
          == (record.labels ?? [:]).map { [exact($0.key), exact($0.value)] }
          .sorted(by: lexicographically))
    }
  }

  @Test(arguments: [
    "true", "No", "y", "null", "~", "1", "1e5", "0x1F", "1:30", "2026-02-25", ".inf", "- a", "a: b",
    "a #b", " a", "a ", "", "?", "<<", "=", "!x", "&a", "*a", "'", "\"", "%", "@", "`", "{}", "[]",
    "---", "...", "NaN", "Infinity", "off",
  ])
  func `What YAML takes for something else stays a string`(text: String) throws {
    let scratch = try Scratch()
    let path = try scratch.export(artifact(title: text, labels: [text: text])).path
    let read = try #require(try PyYAML.read([path]).first)
    #expect(read["title"] as? String == text)
    #expect(read["labels"] as? [String: String] == [text: text])
  }

  @Test func `A key longer than YAML looks ahead is read`() throws {
    let scratch = try Scratch()
    let labels = [String(repeating: "k: ", count: 900): "v", "w": "x"]
    let path = try scratch.export(artifact(labels: labels)).path
    #expect(try PyYAML.read([path]).first?["labels"] as? [String: String] == labels)
  }

  @Test func `Numbers and flags are read as such`() throws {
    let scratch = try Scratch()
    let path = try scratch.export(
      Message(role: "assistant", text: "").with {
        $0.id = "m"
        $0.usage = Usage(inputTokens: .max)
        $0.costUSD = 1e-9
        $0.complete = false
        $0.createdAt = ten
        $0.labels = [:]
      }
    ).path
    let read = try #require(try PyYAML.read([path]).first)
    #expect(read["costUSD"] as? Double == 1e-9)
    #expect(read["complete"] as? Bool == false)
    #expect((read["usage"] as? [String: Any])?["inputTokens"] as? Int == .max)
    #expect((read["labels"] as? [String: Any])?.isEmpty == true)
  }

  private func exact(_ text: String?) -> [UInt32] { text?.unicodeScalars.map(\.value) ?? [0] }

  private func lexicographically(_ left: [[UInt32]], _ right: [[UInt32]]) -> Bool {
    left[0].lexicographicallyPrecedes(right[0])
  }
}
