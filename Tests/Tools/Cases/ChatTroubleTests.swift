import Foundation
import Testing

/// What servers of models do, and what comes of it.
@Suite("chat-send and the wire")
struct ChatTroubleTests {
  private static func always(_ status: Int, _ more: String = "") -> String {
    #"[{"status":\#(status),"times":0\#(more)}]"#
  }

  private static let soon = #","headers":{"retry-after-ms":"5"}"#

  static let troubles = [
    Trouble(name: "400", script: always(400), requests: 1, status: 65),
    Trouble(name: "401", script: always(401), requests: 1, status: 77),
    Trouble(name: "403", script: always(403), requests: 1, status: 77),
    Trouble(name: "404", script: always(404), requests: 1, status: 66),
    Trouble(name: "413", script: always(413), requests: 1, status: 65),
    Trouble(name: "429", script: always(429, soon), requests: 5, status: 75),
    Trouble(
      name: "429-quota", script: always(429, #","errorType":"insufficient_quota""# + soon),
      requests: 1, status: 77),
    Trouble(
      name: "429-then-fine", script: #"[{"status":429,"times":2\#(soon)}]"#, requests: 3, status: 0
    ),
    Trouble(name: "500", script: always(500, soon), requests: 3, status: 69),
    Trouble(
      name: "500-no-retries", script: always(500), requests: 1, status: 69,
      options: "--retries 0 --connect-timeout 200 --total-timeout 600"),
    Trouble(name: "529", script: always(529, soon), requests: 3, status: 75),
    Trouble(
      name: "cut", script: #"[{"times":0,"cutAfter":"text"}]"#, requests: 1, status: 69,
      isPartial: true),
    Trouble(
      name: "clean-cut", script: #"[{"times":0,"cleanCut":true}]"#, requests: 1, status: 69,
      isPartial: true),
    Trouble(
      name: "mid-error", script: #"[{"times":0,"midError":"overloaded_error"}]"#, requests: 1,
      status: 75, isPartial: true),
    Trouble(
      name: "stall", script: #"[{"times":0,"stall":true}]"#, requests: 1, status: 69,
      options: "--idle-timeout 10", isPartial: true),
    Trouble(
      name: "drop", script: #"[{"times":0,"drop":true}]"#, requests: 1, status: 69,
      options: "--retries 0"),
    Trouble(
      name: "refusal", script: #"[{"text":"I cannot","stopReason":"refusal"}]"#, requests: 1,
      status: 1),
    Trouble(name: "empty", script: #"[{"text":"   "}]"#, requests: 1, status: 69),
    Trouble(
      name: "not-a-stream", script: #"[{"body":"<html>","contentType":"text/html"}]"#,
      requests: 1, status: 69),
    Trouble(
      name: "not-json",
      script: #"[{"status":502,"body":"<html>","contentType":"text/html"\#(soon)},{"times":0}]"#,
      requests: 2, status: 0),
  ]

  @Test(arguments: troubles, Wire.allCases)
  func `whatever a server does, there is one message, and it tells the truth`(
    _ trouble: Trouble, _ wire: Wire
  ) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveWires(wire.worded(trouble.script))
      let run = try await scratch.shell("chat-send -n ask \(wire.option) \(trouble.options)")
      #expect(server.requests.count == trouble.requests)
      #expect(run.statuses == [trouble.status])
      let message = try #require(run.records.first)
      #expect(run.records.count == 1)
      #expect(message.flag("complete") == (trouble.status == 0))
      #expect((message.value("error") == nil) == (trouble.status == 0))
      if trouble.isPartial { #expect(message["text"].hasPrefix("Answer ")) }
      #expect(run.errors.isEmpty == (trouble.status == 0))
      // What was told is what is kept.
      let kept = try await scratch.keptTurns()
      #expect(kept.map { $0["role"] } == ["user", "assistant"])
      for member in ["id", "text", "complete", "error.code", "error.kind", "costUSD", "totalMs"] {
        #expect(kept.last?[member] == message[member])
      }
      try scratch.expectGolden("chat-send/\(wire)-\(trouble.name)")
    }
  }

  @Test(
    arguments: [
      #""ping":true"#, #""unknown":true"#, #""newline":"crlf""#, #""newline":"cr""#,
      #""chunks":"bytewise""#, #""splice":[1,7,2]"#, #""multiline":true"#,
      #""duplicateStart":"immediate""#, #""retryAfterOn200":true"#,
      #""chunks":"bytewise","newline":"crlf","unknown":true,"ping":true"#,
    ], Wire.allCases)
  func `whatever the stream looks like, the answer is the same`(
    _ behaviour: String, _ wire: Wire
  ) async throws {
    try await Scratch.with { scratch in
      let text = "Naïve — 東京 🗼\n\n\"quoted\""
      let server = try await scratch.serveWires(
        #"[{"text":"Naïve — 東京 🗼\n\n\"quoted\"",\#(behaviour)}]"#)
      let run = try await scratch.shell("chat-send -n ask --stream \(wire.option)")
      #expect(run.statuses == [0])
      #expect(run.records("message").map { $0["text"] } == [text])
      #expect(run.records("delta").map { $0["text"] }.joined() == text)
      #expect(run.errors == "")
      // The server tells of an answer when it is out, which the tool may have read by then.
      try await scratch.until("the answer is logged") { !server.log("answer").isEmpty }
      let usage = server.log("answer").first
      let output = usage?.number("usage.output_tokens") ?? usage?.number("usage.completion_tokens")
      #expect(run.records("message").first?.number("usage.outputTokens") == output)
    }
  }

  @Test(arguments: Wire.allCases)
  func `a hostile server that gives the key back shows it nowhere`(_ wire: Wire) async throws {
    try await Scratch.with { scratch in
      try await scratch.serveWires(
        #"[{"status":400,"body":"{\"error\":{\"message\":\"bad key {key}\",\"type\":\"x\"}}"},{"status":401},{"status":500,"body":"{key}"},{"text":"The key is {key}.","reasoning":"R","chunks":"bytewise"}]"#,
        "--echo-key")
      for _ in 0..<4 {
        try await scratch.shell("chat-send -n ask --stream --trace --retries 0 \(wire.option)")
      }
      #expect(scratch.runs.map(\.statuses) == [[65], [77], [69], [0]])
    }
  }
}
