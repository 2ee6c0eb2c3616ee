import CodingAgents
import Core
import Foundation
import TestSupport
import Testing

@Suite("output of Codex")
struct CodexOutputTests {
  private static let thread = "01a220c5-60f2-7df3-aece-4c67bcdddf42"

  private static func counts(_ input: Int) -> String {
    #"{"input_tokens":\#(input),"cached_input_tokens":1,"output_tokens":\#(input / 10)}"#
  }

  private static func line(_ at: Timestamp, _ type: String, _ payload: String) -> String {
    #"{"timestamp":"\#(at.iso8601)","type":"\#(type)","payload":\#(payload)}"#
  }

  /// The input of each turn of a process that began after the first of the given lines.
  private func turns(_ lines: [String], totals: [Int]) throws -> [Int?] {
    let home = try Home()
    let folder = home.path + "/sessions/2026/11/28"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = "sessions/2026/11/28/rollout-2026-11-28T06-08-56-\(Self.thread).jsonl"
    _ = try home.file(file, lines.joined(separator: "\n") + "\n")
    var output = CodingAgent.codex.output(["CODEX_HOME": home.path])
    let printed =
      [#"{"type":"thread.started","thread_id":"\#(Self.thread)"}"#]
      + totals.map { #"{"type":"turn.completed","usage":\#(Self.counts($0))}"# }
    return printed.flatMap { line -> [Int?] in
      let object = JSONObject(Array(line.utf8))
      let entries = object.flatMap { output.entries(of: $0, at: .now) } ?? []
      return entries.compactMap { entry in
        if case .call(let call) = entry.content { call.usage?.inputTokens } else { nil }
      }
    }
  }

  @Test func `a resumed thread counts without its earlier runs`() throws {
    let record = #"{"thread_token_usage":\#(Self.counts(300)),"usage":\#(Self.counts(200))}"#
    let total = #"{"type":"token_count","info":{"total_token_usage":\#(Self.counts(100))}}"#
    let later = #"{"thread_token_usage":\#(Self.counts(900)),"usage":\#(Self.counts(600))}"#
    let (before, after) = (Timestamp.now.adding(seconds: -60), Timestamp.now.adding(seconds: 600))
    let lines = [
      Self.line(before, "event_msg", total), Self.line(before, "token_usage_record", record),
      "{", Self.line(after, "token_usage_record", later),
    ]
    #expect(try turns(lines, totals: [1000, 1500]) == [700, 500])
    #expect(try turns([lines[0]], totals: [1000]) == [900])
    #expect(try turns([Self.line(before, "session_meta", "{}")], totals: [1000]) == [1000])
  }
}
