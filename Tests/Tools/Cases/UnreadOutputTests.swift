import Foundation
import TestSupport
import Testing

/// Tools whose output nobody reads: a success stays quiet, and a failure stays a failure.
@Suite("output that nobody reads")
struct UnreadOutputTests {
  /// Opens descriptor 9, a pipe whose reader has gone.
  private static let unread =
    "rm -f pipe; mkfifo pipe; exec 8<>pipe 9>pipe; : <pipe & wait $!; exec 8<&-"

  /// A failing command line of each tool.
  private static let failing = [
    "agent-adopt --bogus", "agent-control pause agent nobody --reason x",
    "agent-stat agent nobody", "agent-stat wait --agent nobody", "ceo-plan Goal",
    "ceo-plan <bad", "chat-log show nothing", "chat-log import <bad", "chat-send hi",
    "chat-send hi --stream", "chat-send hi --text", "chat-send hi --model sonnet --model haiku",
    "export-md --into out <bad", "gate-decide show nothing", "gate-decide approve nothing",
    "hub-serve revoke nothing", "image-make ''", "key-store get nothing", "link-open nonsense",
    "model-list show nothing/x", "model-list check sonnet", "pair status nothing",
    "push-notify --to nothing <bad", "stage-run <bad", "stage-run --show nothing",
    "stage-run --bogus", "stream-tail bad", "stream-tail nothing", "tmux-attach nothing",
    "tool-call nothing", "tool-call --allow 'mcp:*' mcp:s/fail", "tool-call --allow 'mcp:*' <calls",
    "web-fetch <bad",
    "web-fetch nothing.html", "web-fetch --allow-private --retries 0 http://127.0.0.1:9/",
  ]

  @Test func `a failure has the status and the message that it has if somebody reads`()
    async throws
  {
    try await Scratch.with { scratch in
      try await scratch.serveModels(
        #"[{"status":500,"times":0,"headers":{"x-should-retry":"false"}}]"#)
      scratch.set("AGENTPIPES_MODEL", "claude-sonnet-4-6")
      try await scratch.addServer("s", "", tools: Scratch.tools)
      try scratch.write("work/bad", "{\"type\":7}\n")
      try scratch.write("work/calls", #"{"type":"toolCall","id":"c","name":"mcp:s/none"}"# + "\n")
      for line in Self.failing {
        let read = try await scratch.shell("\(line) >read")
        let unread = try await scratch.shell("\(Self.unread); \(line) >&9")
        #expect(unread.statuses == read.statuses, "\(line)")
        #expect(scratch.settled(unread.errors) == scratch.settled(read.errors), "\(line)")
        #expect(read.statuses != [0], "\(line)")
        #expect(read.errors != "", "\(line)")
      }
    }
  }

  @Test func `the answer of a gate is the status of the tool that asks`() async throws {
    try await Scratch.with { scratch in
      for (decision, status) in [
        ("approve", 0), ("reject", 1),
      ] as [(String, Int32)] {
        let asking = try scratch.running("\(Self.unread); gate-decide ask 'Deploy?' >&9")
        var gate = ""
        try await scratch.until("the gate is open") {
          gate = try await scratch.shell("gate-decide list").records.first?["gateId"] ?? ""
          return gate != ""
        }
        try await scratch.shell("gate-decide \(decision) \(gate) --reason 'not on a Friday'")
        let run = await asking.ended()
        #expect(run.statuses == [status])
        #expect(
          run.errors.hasPrefix("gate-decide: gate '\(gate)' is rejected: not on a Friday")
            == (status == 1))
        #expect(run.errors.isEmpty == (status == 0))
      }
    }
  }

  @Test func `a decision of several gates decides them all`() async throws {
    try await Scratch.with { scratch in
      let asking = try (1...2).map { number in
        try scratch.running("gate-decide ask 'Deploy \(number)?'")
      }
      var gates: [String] = []
      try await scratch.until("the gates are open") {
        gates = try await scratch.shell("gate-decide list").records.map { $0["gateId"] }
        return gates.count == 2
      }
      let run = try await scratch.shell(
        "\(Self.unread); gate-decide approve \(gates[0]) nothing \(gates[1]) >&9")
      #expect(run.statuses == [66])
      for asked in asking { #expect(await asked.ended().statuses == [0]) }
    }
  }

  @Test func `an error record that is passed on makes the status 1`() async throws {
    try await Scratch.with { scratch in
      let error = """
        {"action":"retry","category":"network","code":"Timeout","explanation":"too slow","retryable":\
        true,"suggestedAction":"retry","title":"Timed out","tool":"other","type":"error"}
        """
      for tool in ["ceo-plan", "web-fetch", "export-md --into out", "stream-tail -"] {
        let run = try await scratch.shell("\(Self.unread); \(tool) >&9", input: error + "\n")
        #expect(run.statuses == [1], "\(tool)")
        #expect(run.errors == "", "\(tool)")
      }
    }
  }
}
