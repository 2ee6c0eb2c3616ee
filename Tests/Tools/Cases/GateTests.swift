import Foundation
import TestSupport
import Testing

@Suite("gates")
struct GateTests {
  private static let script = #"[{"text":"Text","times":0}]"#
  private static let gate = "$(gate-decide list | jq -r .gateId)"

  @Test func `without a terminal a finished stage waits, and goes on once it is approved`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(Self.script)
      let plan = [Plan.head, Plan.stage(0), Plan.stage(1)].joined(separator: "\n")
      try await scratch.shell("stage-run", input: plan)
      #expect(server.requests.count == 1)
      try await scratch.shell("gate-decide list")
      try await scratch.shell("stage-run --resume")
      #expect(server.requests.count == 1)
      try await scratch.shell("gate-decide approve \(Self.gate) --reason 'well done'")
      try await scratch.shell("gate-decide list")
      try await scratch.shell("stage-run --resume \(Plan.pipeline)")
      #expect(server.requests.count == 2)
      try await scratch.shell("gate-decide approve \(Self.gate)")
      try await scratch.shell("stage-run --resume")
      try await scratch.shell("stage-run --resume")
      try await scratch.shell("gate-decide list --all")
      #expect(server.requests.count == 2)
      try scratch.expectGolden("stage-run/approve")
    }
  }

  @Test func `a rejected stage ends the run and is never sent again`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(Self.script)
      try await scratch.shell("stage-run >/dev/null", input: Plan.three)
      try await scratch.shell(
        "gate-decide reject \(Self.gate) --reason 'the second source is wrong'")
      try await scratch.shell("stage-run --resume \(Plan.pipeline)")
      try await scratch.shell("stage-run --resume")
      try await scratch.shell(
        "stage-run --resume \(Plan.pipeline) --yolo | jq -c '[.type, .status]'")
      try await scratch.shell("stage-run --yolo | jq -c '[.type, .status]'", input: Plan.three)
      try await scratch.shell("stage-run --show \(Plan.pipeline) | jq -c '[.type, .status]'")
      #expect(server.requests.count == 1)
      try scratch.expectGolden("stage-run/reject")
    }
  }

  @Test func `the first decision wins, and a second gets its receipt and Conflict`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(Self.script)
      try await scratch.shell("stage-run >/dev/null", input: Plan.one)
      let gate = try await scratch.shell("gate-decide list | jq -r .gateId").output
        .trimmingCharacters(in: .whitespacesAndNewlines)
      try await scratch.shell("gate-decide approve \(gate)")
      try await scratch.shell("gate-decide reject \(gate) --reason 'I am too late for this'")
      try await scratch.shell("gate-decide approve \(gate)")
      try await scratch.shell("gate-decide show \(gate)")
      try await scratch.shell(#"gate-decide show \#(gate) --text | sed "s/  $(id -un)  /  WHO  /""#)
      try scratch.expectGolden("gate-decide/conflict")
    }
  }

  @Test func `several gates are decided at once, and one that is not there keeps none back`()
    async throws
  {
    try await Scratch.with { scratch in
      try await scratch.serveModels(Self.script)
      for id in 1...3 {
        try await scratch.shell(
          "stage-run >/dev/null",
          input: #"{"id":"s\#(id)","role":"producer","task":"T","type":"stage"}"#)
      }
      let wrong = try await scratch.shell("gate-decide approve a b --request-id r")
      #expect(wrong.statuses == [64])
      // A second reason is no gate; nothing is decided.
      let second = try await scratch.shell(
        "gate-decide approve $(gate-decide list | jq -r .gateId) --reason all 'and this one'")
      #expect(second.statuses == [64] && second.records.map(\.type) == ["error"])
      let run = try await scratch.shell(
        "gate-decide list | jq -r .gateId | sed '2i nosuch' | xargs -r gate-decide approve --reason all"
      )
      #expect(
        run.records.map { $0.status + $0["code"] } == [
          "approved", "NotFound", "approved", "approved",
        ])
      #expect(run.records.map { $0["reason"] } == ["all", "", "all", "all"])
      #expect(run.statuses == [0, 0, 0, 123])
      let none = try await scratch.shell(
        "gate-decide list | jq -r .gateId | xargs -r gate-decide approve")
      #expect(none.output.isEmpty && none.statuses == [0, 0, 0])
    }
  }

  @Test func `gate-decide refuses what it cannot do`() async throws {
    try await Scratch.with { scratch in
      let gate = "01900000-0000-7000-8000-00000000eeee"
      for options in [
        "", "list", "list --all", "show \(gate)", "approve \(gate)",
        "reject \(gate) --reason 'long enough, this'", "reject \(gate) --reason short",
        "reject \(gate) --reason '            '", "reject \(gate)", "approve", "show",
        "decide \(gate)",
        "--help", "list --help", "show --help", "approve --help", "reject --help", "--version",
      ] {
        try await scratch.shell("gate-decide \(options)")
      }
      try await scratch.shell("ls ../home")
      try scratch.expectGolden("gate-decide/refused")
    }
  }

  @Test func `--wait takes a decision from another process`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(Self.script)
      let running = try scratch.running("stage-run --wait", input: Plan.one)
      try await scratch.until("the gate is told") {
        running.output.contains(#""status":"pending""#)
      }
      try await scratch.shell("gate-decide approve \(Self.gate) | jq -c '[.type, .status]'")
      let run = await running.ended()
      #expect(run.statuses == [0])
      #expect(run.records("approvalGate").map(\.status) == ["pending", "approved"])
      #expect(run.records("stage").map(\.status) == ["running", "completed", "approved"])
      #expect(run.records("pipeline").map(\.status) == ["completed"])
    }
  }

  @Test func `--wait with a time gives up when nobody decides`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(Self.script)
      try await scratch.shell("stage-run --wait=0.2s", input: Plan.one)
      try scratch.expectGolden("stage-run/wait")
    }
  }

  @Test func `--gate-timeout rejects what nobody decided`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(Self.script)
      try await scratch.shell("stage-run --wait --gate-timeout 0.2s", input: Plan.three)
      try await scratch.shell("gate-decide list --all | jq -c '[.type, .status, .revision]'")
      try await scratch.shell("stage-run --resume")
      #expect(server.requests.count == 1)
      try scratch.expectGolden("stage-run/gate-timeout")
    }
  }

  @Test func `a gate that waited is approved by a later --yolo`() async throws {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(Self.script)
      try await scratch.shell("stage-run >/dev/null", input: Plan.three)
      let run = try await scratch.shell("stage-run --resume --yolo")
      #expect(run.statuses == [0])
      #expect(server.requests.count == 3)
      #expect(run.records("pipeline").map(\.status) == ["completed"])
      try await scratch.shell("gate-decide list")
    }
  }

  @Test func `on a terminal the question is asked there`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(Self.script)
      try scratch.write(
        "work/plan.ndjson", [Plan.head, Plan.stage(0), Plan.stage(1)].joined(separator: "\n"))
      let terminal = try Terminal(scratch, "exec stage-run <plan.ndjson >records.ndjson")
      try await scratch.until("it asks") { terminal.text.contains("[s]how? ") }
      terminal.type("s")
      try await scratch.until("it shows") { terminal.text.contains("Text\r\n\r\n[a]pprove") }
      terminal.type("a")
      try await scratch.until("it asks again") {
        terminal.text.components(separatedBy: "Approve the ").count == 3
      }
      terminal.type("r")
      try await scratch.until("it asks why") { terminal.text.contains("Reason,") }
      terminal.type("short")
      try await scratch.until("it wants more") { terminal.text.contains("too short") }
      try await scratch.until("it asks why again") {
        terminal.text.components(separatedBy: "Reason,").count == 3
      }
      terminal.type("long enough to be a reason")
      let run = await terminal.running.ended()
      #expect(run.endings == [.exit(1)])
      let records = Record.all(in: scratch.read("work/records.ndjson"))
      #expect(
        records.filter { $0.type == "stage" }.map(\.status)
          == ["running", "completed", "approved", "running", "completed", "failed"])
      #expect(records.last { $0.type == "pipeline" }?["error.code"] == "UserRejected")
    }
  }

  @Test func `at a terminal, whoever decides first wins`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels(Self.script)
      try scratch.write("work/plan.ndjson", Plan.one)
      let terminal = try Terminal(scratch, "exec stage-run <plan.ndjson >records.ndjson")
      try await scratch.until("it asks") { terminal.text.contains("[s]how? ") }
      try await scratch.shell("gate-decide approve \(Self.gate) >/dev/null")
      let run = await terminal.running.ended()
      #expect(run.endings == [.exit(0)])
      #expect(terminal.text.contains("decided elsewhere: approved"))
    }
  }
}
