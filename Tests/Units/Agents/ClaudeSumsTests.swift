import Core
import Events
import Foundation
import Testing

@testable import Agents

/// The sums of Claude Code's results, beside the counts of its messages.
@Suite("sums of claude's results")
struct ClaudeSumsTests {
  /// The model calls of lines, and the sums of their run.
  struct Run {
    var chats: [TraceEvent] = []
    let sums: EventAttributes

    init(_ lines: [String]) {
      var reader = OutputLines(EventTexts.agent)
      var events: [any Event] = []
      for line in lines {
        let bytes = Array(line.utf8)
        events += reader.events(
          of: LineCutter.Line(bytes: bytes, length: bytes.count), from: .output, at: .now)
      }
      events += reader.end(at: .now)
      chats = events.compactMap { $0 as? TraceEvent }.filter { $0.name == "chat" }
      sums = reader.usage
    }

    /// Each call as its model, its tokens and its cost, if it has them.
    var words: [String] {
      chats.map { chat in
        let names: [EventAttribute] = [
          .responseModel, .inputTokens, .outputTokens, .costUSD, .usageScope,
        ]
        return names.compactMap { chat.attrs[$0.rawValue]?.text }.joined(separator: " ")
      }
    }

    func sum(_ name: EventAttribute) -> Double {
      let sum = chats.reduce(0.0) { $0 + ($1.attrs[name.rawValue]?.amount ?? 0) }
      return (sum * 1e12).rounded() / 1e12
    }

    var totals: [JSONValue?] { [sums[.inputTokens], sums[.outputTokens], sums[.costUSD]] }
  }

  private static func message(
    _ id: String, input: String = "10", output: String = "2", parent: String = "null",
    content: String = ""
  ) -> String {
    #"{"type":"assistant","session_id":"c","parent_tool_use_id":\#(parent),"message":{"id":"\#(id)","model":"opus","content":[\#(content)],"usage":{"input_tokens":\#(input),"cache_read_input_tokens":5,"output_tokens":\#(output)}}}"#
  }

  private static func model(_ name: String, _ input: Int, _ output: Int, _ cost: String) -> String {
    #""\#(name)":{"inputTokens":\#(input),"outputTokens":\#(output),"cacheReadInputTokens":5,"cacheCreationInputTokens":0,"costUSD":\#(cost)}"#
  }

  private static func result(_ own: String, all: String, cost: String) -> String {
    #"{"type":"result","subtype":"success","session_id":"c","duration_ms":5,"total_cost_usd":\#(cost),"modelUsage":{\#(all)},"model_usage_since_last_result":{\#(own)}}"#
  }

  @Test func `what messages left out is an increase of their model, with its cost`() {
    let own =
      Self.model("haiku", 7, 3, "0.001") + "," + Self.model("opus[1m]", 10, 300, "0.25")
    let run = Run([Self.message("m1"), Self.result(own, all: own, cost: "0.251")])
    #expect(run.words == ["opus 15 2", "haiku 12 3 0.001 increase", "opus 0 298 0.25 increase"])
    #expect(run.totals == [.int(27), .int(303), .double(0.251)])
  }

  @Test func `a session that was resumed counts the calls of its own run`() {
    let own = Self.model("opus", 10, 40, "0.25")
    let run = Run([
      Self.message("m1"),
      Self.result(own, all: Self.model("opus", 90, 400, "2.25"), cost: "2.25"),
      Self.message("m2"),
      Self.result(own, all: Self.model("opus", 100, 440, "2.5"), cost: "2.5"),
    ])
    let words = ["opus 15 2", "opus 0 38 0.25 increase"]
    #expect(run.words == words + words)
    #expect(run.totals == [.int(30), .int(80), .double(0.5)])
  }

  @Test func `counts that cannot be are unknown until the result`() {
    let own = Self.model("opus", 10, 40, "0.25")
    for count in ["-1", #""10""#, "150000000000", "1.5", "null"] {
      let run = Run([Self.message("m1", input: count), Self.result(own, all: own, cost: "0.25")])
      #expect(run.words == ["opus", "opus 15 40 0.25 increase"], "\(count)")
      #expect(run.totals == [.int(15), .int(40), .double(0.25)])
      #expect(Run([Self.message("m1", output: count)]).words == ["opus"])
    }
  }

  @Test func `a cost that the result does not know is not known`() {
    let own =
      #""opus":{"inputTokens":10,"outputTokens":40,"cacheReadInputTokens":5,"cacheCreationInputTokens":0}"#
    let run = Run([Self.message("m1"), Self.result(own, all: own, cost: "0")])
    #expect(run.words == ["opus 15 2", "opus 0 38 increase"])
    #expect(run.totals == [.int(15), .int(40), nil])
  }

  @Test func `the last call of a subagent is that of its result, and counts once`() {
    let task = #"{"type":"tool_use","id":"t","name":"Agent","input":{}}"#
    func run(_ input: Int) -> Run {
      Run([
        Self.message("m1", content: task), Self.message("m2", input: "20", parent: #""t""#),
        #"{"type":"user","session_id":"c","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"tool_use_result":{"status":"completed","agentId":"a","resolvedModel":"opus","usage":{"input_tokens":\#(input),"cache_read_input_tokens":5,"output_tokens":9}}}"#,
      ])
    }
    #expect(run(30).words == ["opus 15 2", "opus 25 2", "opus 35 9"])
    let chats = run(30).chats
    #expect(chats[2].parentSpanId != chats[0].parentSpanId)
    #expect(run(20).words == ["opus 15 2", "opus 25 2"])
  }
}

/// What Claude Code printed, in the folder that AGENTPIPES_EVAL names.
private enum RecordedRuns {
  static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_EVAL"].flatMap { folder in
    let runs = "\(folder)/sessions/real/claude-2.1.332/stream-json"
    return FileManager.default.fileExists(atPath: runs) ? runs : nil
  }
}

@Suite(.enabled(if: RecordedRuns.folder != nil, "AGENTPIPES_EVAL names no runs"))
struct RecordedRunTests {
  /// The model calls that the server counted, and its sums.
  @Test(arguments: [
    ("ar-slow", 1, 6416.0, 372.0, 0.0142524), ("ar-tools", 7, 45005, 2635, 0.100672),
    ("e-bad", 0, 0, 0, 0), ("e-fail", 3, 18834, 978, 0.0387276), ("e-limit", 0, 0, 0, 0),
    ("e-overload", 1, 6257, 319, 0.0127048), ("e-refuse", 2, 12595, 665, 0.026198),
    ("p-mcp2", 2, 12817, 739, 0.0283588), ("p-same", 3, 19167, 1089, 0.0419688),
    ("p-timeout", 2, 12793, 731, 0.0281252), ("resumed-run-1", 1, 6218, 306, 0.0123252),
    ("resumed-run-2", 1, 6221, 307, 0.0123544), ("resumed-run-3", 1, 6224, 308, 0.0123836),
    // The number of calls that the server cut is not stated.
    ("e-cut", 1, 18846, 341, 0.0260244),
  ])
  func `tokens and costs are those that the server counted`(
    name: String, calls: Int, input: Double, output: Double, cost: Double
  ) throws {
    let folder = try #require(RecordedRuns.folder)
    let text = try String(contentsOfFile: "\(folder)/\(name).jsonl", encoding: .utf8)
    let run = ClaudeSumsTests.Run(text.split(separator: "\n").map(String.init))
    let own = run.chats.count { $0.attrs[EventAttribute.usageScope.rawValue] == nil }
    #expect(own == calls)
    #expect(run.sum(.inputTokens) == input && run.sum(.outputTokens) == output)
    #expect(run.sum(.costUSD) == cost)
    #expect(run.totals == [.int(Int(input)), .int(Int(output)), .double(cost)])
  }
}

extension JSONValue {
  fileprivate var amount: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  fileprivate var text: String? {
    switch self {
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): text
    default: nil
    }
  }
}
