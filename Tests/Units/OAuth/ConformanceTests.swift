import Foundation
import TestSupport
import Testing

/// The lists of scenarios that the protocol's official suite scores; nil without the folder.
private let lists = ProcessInfo.processInfo.environment["AGENTPIPES_EVAL"].map { $0 + "/mcp" }

@Suite("The scored scenarios of OAuth")
struct ConformanceTests {
  @Test(
    "are each named by a test of this folder",
    .enabled(if: lists != nil, "AGENTPIPES_EVAL names no folder"),
    arguments: [("2025-11-25", 14), ("2026-07-28", 25)])
  func named(_ revision: String, _ count: Int) throws {
    let path = try #require(lists) + "/conformance-requirements-\(revision).yaml"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let scored = text.prefix(upTo: try #require(text.firstRange(of: "\nnot_scored:")).lowerBound)
    let scenarios = scored.split(separator: "\n").filter { $0.hasPrefix("  - auth/") }
      .map { String($0.dropFirst(4)) }
    let folder = Checkout.root.appending(path: "Tests/Units/OAuth")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let words = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
      .split { !$0.isLetter && !$0.isNumber && !"/-".contains($0) }
    #expect(scenarios.count == count)
    #expect(Set(scenarios).subtracting(words.map(String.init)) == [])
  }
}
