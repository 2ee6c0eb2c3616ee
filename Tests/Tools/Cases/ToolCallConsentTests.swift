import Foundation
import TestSupport
import Testing

/// People who are asked about calls, at a terminal and at a gate.
@Suite("tool-call, asking")
struct ToolCallConsentTests {
  private static let call =
    #"{"type":"toolCall","id":"1","name":"echo","source":"mcp:box","arguments":{"text":"a"}}"#

  /// Runs a call of a model on a terminal, answers the question, and returns what became of it.
  private func answered(_ scratch: Scratch, _ answer: String) async throws -> String {
    try scratch.write("work/calls", Self.call + "\n")
    let terminal = try Terminal(
      scratch, "tool-call --json - < calls | jq -r '.consent // .error.code'")
    try await scratch.until("the question") { terminal.text.contains("[s]top? ") }
    terminal.type(answer)
    return await terminal.running.ended().output
  }

  @Test func `a person answers once, always, no or stop`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box")
      let once = try await answered(scratch, "o")
      #expect(once.contains("call 'echo' of mcp:box?"))
      #expect(once.contains(#"{"text":"a"}"#))
      #expect(once.contains("once"))
      #expect(try await answered(scratch, "no").contains("UserRejected"))
      #expect(try await answered(scratch, "stop").contains("UserRejected"))
      #expect(scratch.serverLog("box", "called").count == 1)
      #expect(try await answered(scratch, "always").contains("always"))
      // The agreement holds from now on, without a terminal too.
      let run = try await scratch.shell("tool-call - | jq -r .consent", input: Self.call + "\n")
      #expect(run.output == "agreement\n")
      #expect(scratch.serverLog("box", "called").count == 3)
    }
  }

  @Test func `a changed tool asks again, and a pattern allows it and says so`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box")
      #expect(try await answered(scratch, "always").contains("always"))
      try scratch.write(
        "given/box.json",
        Scratch.tools.replacing("Returns its arguments", with: "Returns its arguments to me"))
      let refused = try await scratch.shell(
        "tool-call - | jq -r .error.kind", input: Self.call + "\n")
      #expect(refused.output == "notAllowed\n")
      try scratch.write(
        "given/box.json",
        Scratch.tools.replacing("Returns its arguments", with: "Returns its arguments to him"))
      let allowed = try await scratch.shell(
        "tool-call --allow 'mcp:box/*' - | jq -r .consent", input: Self.call + "\n")
      #expect(allowed.output == "option\n")
      #expect(allowed.errors.contains("which has changed"))
      #expect(scratch.serverLog("box", "called").count == 2)
      let forgotten = try await scratch.shell("tool-call forget echo")
      #expect(forgotten.errors == "tool-call: forgot: mcp:box/echo\n")
    }
  }

  @Test func `a gate decides`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box")
      let decisions = [
        ("approve", "gate"), ("reject --reason 'not this one'", "UserRejected"),
      ]
      for (verb, word) in decisions {
        let running = try scratch.running("tool-call --gate -", input: Self.call + "\n")
        try await scratch.until("the gate") { running.output.contains("approvalGate") }
        let gate = try #require(Record.all(in: running.output).first)
        #expect(gate["summary"] == "call the tool 'mcp:box/echo'")
        try await scratch.shell("gate-decide \(verb) \(gate["gateId"])")
        let result = try #require(await running.ended().records("toolResult").first)
        #expect([result["consent"], result["error.code"]].contains(word))
      }
      #expect(scratch.serverLog("box", "called").count == 1)
    }
  }

  @Test func `no server survives tool-call, however it ends`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box")
      for signal in [SIGKILL, SIGINT, SIGTERM] {
        let before = scratch.serverLog("box", "called").count
        let running = try scratch.starting("tool-call", "mcp:box/hang")
        try await scratch.until("the call") {
          scratch.serverLog("box", "called").count > before
        }
        let server = try #require(scratch.serverLog("box", "started").last?.number("process"))
        running.child.signal(signal)
        let run = await running.ended()
        try await scratch.until("the server has ended") { kill(pid_t(server), 0) != 0 }
        guard signal != SIGKILL else { continue }
        let result = try #require(run.records("toolResult").first)
        #expect(result["error.code"] == "Interrupted")
        #expect(result["error.kind"] == "unknownOutcome")
      }
    }
  }
}
