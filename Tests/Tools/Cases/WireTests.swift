import Foundation
import Testing

/// What a server of models does, and what comes of it.
struct Trouble: Sendable, CustomTestStringConvertible {
  var name: String
  var script: String
  /// How many requests are made.
  var requests: Int
  var status: Int32
  var options = ""
  /// Whether a part of the answer comes before it.
  var isPartial = false

  var testDescription: String { name }
}

@Suite("stage-run and the wire")
struct WireTests {
  static let troubles = [
    Trouble(name: "400", script: #"[{"status":400,"times":0}]"#, requests: 1, status: 65),
    Trouble(name: "401", script: #"[{"status":401,"times":0}]"#, requests: 1, status: 77),
    Trouble(name: "402", script: #"[{"status":402,"times":0}]"#, requests: 1, status: 77),
    Trouble(name: "403", script: #"[{"status":403,"times":0}]"#, requests: 1, status: 77),
    Trouble(name: "404", script: #"[{"status":404,"times":0}]"#, requests: 1, status: 66),
    Trouble(
      name: "429-then-fine",
      script: #"[{"status":429,"times":4,"headers":{"retry-after-ms":"5"}}]"#,
      requests: 5, status: 0),
    Trouble(
      name: "429-second",
      script: #"[{"status":429,"headers":{"retry-after":"1"}}]"#, requests: 2, status: 0),
    Trouble(
      name: "429-always", script: #"[{"status":429,"times":0,"headers":{"retry-after-ms":"5"}}]"#,
      requests: 5, status: 75),
    Trouble(
      name: "429-no-retries", script: #"[{"status":429,"times":0,"headers":{"retry-after":"30"}}]"#,
      requests: 1, status: 75, options: "--retries 0"),
    Trouble(name: "529-then-fine", script: #"[{"status":529,"times":2}]"#, requests: 3, status: 0),
    Trouble(
      name: "529-always", script: #"[{"status":529,"times":0,"headers":{"retry-after-ms":"5"}}]"#,
      requests: 3, status: 75),
    Trouble(
      name: "500-always", script: #"[{"status":500,"times":0,"headers":{"retry-after-ms":"5"}}]"#,
      requests: 3, status: 69),
    Trouble(
      name: "no-retry-wanted",
      script: #"[{"status":500,"times":0,"headers":{"x-should-retry":"false"}}]"#, requests: 1,
      status: 69),
    Trouble(
      name: "cut", script: #"[{"times":0,"cutAfter":"text"}]"#, requests: 1, status: 69),
    Trouble(name: "clean-cut", script: #"[{"times":0,"cleanCut":true}]"#, requests: 1, status: 69),
    Trouble(
      name: "mid-error", script: #"[{"times":0,"midError":"overloaded_error"}]"#, requests: 1,
      status: 75),
    Trouble(
      name: "stall", script: #"[{"times":0,"stall":true}]"#, requests: 1, status: 69,
      options: "--idle-timeout 10"),
    Trouble(
      name: "drop", script: #"[{"times":0,"drop":true}]"#, requests: 1, status: 69,
      options: "--retries 0"),
    Trouble(
      name: "length", script: #"[{"text":"Cut here","stopReason":"max_tokens"}]"#, requests: 1,
      status: 0),
    Trouble(
      name: "refusal", script: #"[{"text":"I cannot","stopReason":"refusal"}]"#, requests: 1,
      status: 1),
    Trouble(name: "empty", script: #"[{"text":"   "}]"#, requests: 1, status: 69),
  ]

  @Test(arguments: troubles) func `trouble on Anthropic's wire`(_ trouble: Trouble) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(trouble.script)
      let run = try await scratch.shell("stage-run --yolo \(trouble.options)", input: Plan.one)
      #expect(server.requests.count == trouble.requests)
      #expect(run.statuses == [trouble.status])
      #expect(run.records("pipeline").count == 1)
      try scratch.expectGolden("stage-run/anthropic-\(trouble.name)")
    }
  }

  @Test(arguments: troubles) func `trouble on the chat wire`(_ trouble: Trouble) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        trouble.script.replacingOccurrences(of: "overloaded_error", with: "server_error"))
      let run = try await scratch.shell(
        "stage-run --yolo --model gpt-5.5 \(trouble.options)", input: Plan.one)
      #expect(server.requests.count == trouble.requests)
      #expect(run.records("pipeline").count == 1)
      #expect((run.statuses == [0]) == (trouble.status == 0))
      try scratch.expectGolden("stage-run/chat-\(trouble.name)")
    }
  }

  @Test(
    arguments: [
      #""ping":true"#, #""unknown":true"#, #""newline":"crlf""#, #""newline":"cr""#,
      #""chunks":"bytewise""#, #""splice":[1,7,2]"#, #""multiline":true"#, #""usageTwice":true"#,
      #""duplicateStart":"immediate""#, #""outputUsageOnly":true"#, #""retryAfterOn200":true"#,
      #""chunks":"bytewise","newline":"crlf","unknown":true,"ping":true"#,
    ], ["", "--model gpt-5.5"])
  func `whatever the stream looks like, the answer is the same`(
    _ behaviour: String, _ options: String
  ) async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(
        #"[{"text":"Naïve — 東京 🗼\n\n\"quoted\"",\#(behaviour)}]"#)
      let run = try await scratch.shell("stage-run --yolo \(options)", input: Plan.one)
      #expect(run.statuses == [0])
      #expect(run.records("artifact").map { $0["content"] } == ["Naïve — 東京 🗼\n\n\"quoted\""])
      #expect(run.errors == "")
      // The server tells of an answer when it is out, which the tool may have read by then.
      try await scratch.until("the answer is logged") { !server.log("answer").isEmpty }
      let usage = server.log("answer").first
      let output = usage?.number("usage.output_tokens") ?? usage?.number("usage.completion_tokens")
      #expect(run.records("stage").last?.number("usage.outputTokens") == output)
    }
  }

  @Test func `a hostile server that gives the key back shows it nowhere`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(
        #"[{"status":400,"body":"{\"error\":{\"message\":\"bad key {key}\",\"type\":\"x\"}}"},{"status":401},{"status":500,"body":"{key}"}]"#,
        "--echo-key")
      for model in ["claude-sonnet-4-6", "gpt-5.5", "claude-sonnet-4-6"] {
        let run = try await scratch.shell(
          "stage-run --yolo --verbose --retries 0 --model \(model)",
          input: #"{"role":"producer","task":"T","type":"stage"}"#)
        #expect(run.statuses != [0])
        #expect(run.records("pipeline").map(\.status) == ["failed"])
      }
    }
  }
}
