import Foundation
import Testing

extension Scratch {
  /// Compares all that was run, as a whole text, with `Tests/Tools/Golden/NAME.txt`.
  ///
  /// Values that differ from run to run are replaced by placeholders first.
  func expectGolden(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let text = settled(runs.map(\.transcript).joined(separator: "\n"))
    let file = "\(Places.tests)/Tools/Golden/\(name).txt"
    if Places.isRecording {
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file))
      return
    }
    let expected =
      FileManager.default.contents(atPath: file)
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard text != expected else { return }
    Issue.record(
      """
      \(difference(expected, text))
      Tests/Tools/Golden/\(name).txt is not what came out. If what came out is right, write it anew:
      AGENTPIPES_RECORD=1 swift test --filter ToolTests
      """, sourceLocation: sourceLocation)
  }

  /// Returns a text with placeholders for values that differ from run to run.
  func settled(_ text: String) -> String {
    var text = text.replacingOccurrences(of: root, with: "<scratch>")
      .replacingOccurrences(of: secret, with: "<secret>")
      .replacingOccurrences(of: "…" + secret.suffix(4), with: "…<end>")
    for (pattern, placeholder) in Self.placeholders {
      text = text.replacingOccurrences(
        of: pattern, with: placeholder, options: .regularExpression)
    }
    return numbered(text)
  }

  private static let placeholders = [
    (#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"#, "<time>"),
    (#"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ"#, "<stamp>"),
    (#"127\.0\.0\.1:\d{2,5}"#, "127.0.0.1:<port>"),
    (#""code":"[0-9A-Z]{5}-[0-9A-Z]{5}""#, #""code":"<code>""#),
    (#"port \d{1,5} after \d+ ms"#, "port <port> after <n> ms"),
    (#""ts":\d{13}"#, #""ts":<ms>"#),
    (#""(\w+Ms)":[0-9.]+"#, #""$1":<ms>"#),
    (#""sha256":"[0-9a-f]{64}""#, #""sha256":"<sha256>""#),
    (#""(actor|closedBy)":"[^"]*""#, #""$1":"<actor>""#),
    (#""requestedBy":"(?!stage-run)[^"]*""#, #""requestedBy":"<actor>""#),
    (#"(terminated|cancelled) by [^\s":]+"#, "$1 by <actor>"),
    (#"already, by [^\s"]+"#, "already, by <actor>"),
    (#"timing: (\w+) [0-9.]+ s"#, "timing: $1 <seconds> s"),
    // Only Version.swift names the version; package.sh compares the two.
    (#"(?m)^([a-z]+(?:-[a-z]+)?) \d+\.\d+\.\d+$"#, "$1 <version>"),
  ]

  /// Returns a text with IDs numbered in the order of their first appearance.
  private func numbered(_ text: String) -> String {
    guard
      let pattern = try? Regex(#"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"#)
    else { return text }
    var names: [Substring: String] = [:]
    return text.replacing(pattern) { match in
      let id = text[match.range]
      let name = names[id] ?? "<id\(names.count + 1)>"
      names[id] = name
      return name
    }
  }

  private func difference(_ expected: String, _ text: String) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return new.difference(from: old).map { change in
      switch change {
      case .remove(let line, let text, _): "\(line + 1) - \(text)"
      case .insert(let line, let text, _): "\(line + 1) + \(text)"
      }
    }.joined(separator: "\n")
  }
}
