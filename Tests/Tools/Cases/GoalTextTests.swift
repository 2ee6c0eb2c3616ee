import Foundation
import Testing

/// The events of a run, which are kept in the clear.
@Suite("goals in the log")
struct GoalTextTests {
  @Test(arguments: [
    "", #"| jq -c 'if .type == "pipeline" then .goal = "Changed" else . end'"#,
  ])
  func `no word of a goal is logged, though the goal was edited`(edit: String) async throws {
    try await Scratch.with { scratch in
      try scratch.write("work/page", Plan.page)
      let plan = "ceo-plan --model extractive 'Zanzibar quokka merger plan' \(edit)"
      let run = try await scratch.shell("\(plan) | cat - page | stage-run --yolo")
      #expect(run.records("pipeline").last?.status == "completed", "\(run.errors)")
      let logged = try await scratch.shell(
        """
        sqlite3 "$AGENTPIPES_HOME/data/events.db" .dump
        for table in gate audit watched; do
          sqlite3 "$AGENTPIPES_HOME/data/store.db" "SELECT * FROM $table"
        done
        cat "$AGENTPIPES_HOME"/state/breadcrumbs.ndjson*
        """)
      #expect(logged.output.contains("gen_ai"))
      #expect(!logged.output.lowercased().contains("quokka"))
    }
  }

  @Test func `a provider that repeats the goal in its error has it logged nowhere`() async throws {
    try await Scratch.with { scratch in
      let refusal = #"[{"status":400,"message":"cannot do: Zanzibar quokka plan","times":0}]"#
      try await scratch.serveModels(refusal)
      let planning = try await scratch.shell(
        "ceo-plan --model anthropic/claude-haiku-4-5 'Zanzibar quokka plan' >plan")
      let running = try await scratch.shell(
        """
        ceo-plan --model extractive 'Zanzibar quokka plan' \
          | stage-run --yolo --model anthropic/claude-haiku-4-5
        """)
      for run in [planning, running] { #expect(run.errors.contains("cannot do: Zanzibar quokka")) }
      let logged = try await scratch.shell(
        """
        sqlite3 "$AGENTPIPES_HOME/data/events.db" .dump
        cat "$AGENTPIPES_HOME"/state/breadcrumbs.ndjson*
        """)
      #expect(logged.output.contains("ModelRefused") || logged.output.contains("BadInput"))
      #expect(!logged.output.lowercased().contains("quokka"))
    }
  }

  @Test func `records of plans are logged by their type alone`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "agent-run --agent planner -- ceo-plan --model extractive 'Zanzibar quokka' >plan")
      let logged = try await scratch.shell("stream-tail --agent planner")
      #expect(logged.output.contains("pipeline "))
      #expect(!logged.output.contains("stages"))
    }
  }

  @Test func `a password in a record's URL is not logged`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "work/line",
        #"{"type":"log","level":"error","message":"cannot clone http://u:hunter2@h/x \u001b[31mred"}"#
      )
      try await scratch.shell("agent-run --agent a -- cat line >out")
      let logged = try await scratch.shell("stream-tail --agent a; agent-stat incidents")
      #expect(logged.output.contains("cannot clone http://") && logged.output.contains("red"))
      #expect(!logged.output.contains("hunter2") && !logged.output.contains("[31m"))
    }
  }
}
