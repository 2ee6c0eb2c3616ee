import Foundation
import Testing

@Suite("agent-stat")
struct AgentStatTests {
  @Test func `an agent whose id is its swarm's is an agent`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run --swarm same --agent same -- sh -c 'echo \"ERROR x\"'")
      let agents = try await scratch.shell("agent-stat agents")
      #expect(agents.records("agent").map(\.id) == ["same"])
      #expect(agents.records("agent").map(\.status) == ["finished"])
      let agent = try await scratch.shell("agent-stat agent same --events 1")
      #expect(agent.records("agent").count == 1 && agent.statuses == [0])
      let swarm = try await scratch.shell("agent-stat swarm same")
      #expect(swarm.records("swarm").count == 1 && swarm.records("agent").count == 1)
    }
  }

  @Test func `a run stays the swarm's, and is no agent`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      try await scratch.shell("stage-run --yolo", input: Plan.one)
      let agents = try await scratch.shell("agent-stat agents")
      #expect(agents.records("agent").map(\.id) == [Plan.id(0)])
    }
  }

  @Test func `what models used is added up, with the money that the run alone tells`()
    async throws
  {
    try await Scratch.with { scratch in
      try scratch.write(
        "work/claude.ndjson",
        """
        {"type":"system","subtype":"init","session_id":"x","model":"opus"}
        {"type":"assistant","message":{"id":"m1","model":"opus","usage":{"input_tokens":10,\
        "cache_read_input_tokens":5,"output_tokens":3},"content":[]}}
        {"type":"result","subtype":"success","duration_ms":5,"total_cost_usd":0.25,"session_id":"x"}

        """)
      try await scratch.shell("agent-run --swarm review -- cat claude.ndjson")
      try await scratch.shell("agent-stat usage --by model --since 1d")
      try await scratch.shell("agent-stat usage --by swarm --text")
      try await scratch.shell(
        "agent-stat usage --since 2100-01-01T00:00:00Z; agent-stat usage --by project")
      try scratch.expectGolden("agent-stat/usage")
      let days = try await scratch.shell("agent-stat usage")
      #expect(days.records("usage").count == 1 && days.statuses == [0])
    }
  }

  @Test func `a swarm and an agent are named by a part of their ids`() async throws {
    try await Scratch.with { scratch in
      for (agent, swarm) in [("the-linter", "nightly-review"), ("the-writer", "nightly-docs")] {
        try await scratch.shell("agent-run --agent \(agent) --swarm \(swarm) -- sh -c 'echo ERROR'")
      }
      for verb in ["agents", "incidents"] {
        let found = try await scratch.shell("agent-stat \(verb) --swarm review")
        #expect(found.output.split(separator: "\n").count == 1 && found.statuses == [0])
        #expect(found.output.contains("nightly-review"))
      }
      let several = try await scratch.shell("agent-stat context --swarm nightly")
      #expect(several.statuses == [64] && several.errors.contains("'nightly-docs'"))
      for filter in ["--agent linter", "--swarm review"] {
        let events = try await scratch.shell("stream-tail \(filter) --type log")
        #expect(events.statuses == [0] && events.records("log").count == 1)
      }
      let ambiguous = try await scratch.shell("stream-tail --agent the- --last 1")
      #expect(ambiguous.statuses == [64] && ambiguous.errors.contains("'the-linter', 'the-writer'"))
      // Of a file nobody knows which ids it has.
      try await scratch.shell("stream-tail >events.ndjson")
      let file = try await scratch.shell("stream-tail --agent linter events.ndjson")
      #expect(file.output == "" && file.statuses == [0])
    }
  }

  @Test func `a context whose size is not known is explained once`() async throws {
    try await Scratch.with { scratch in
      try scratch.write(
        "work/claude.ndjson",
        """
        {"type":"system","subtype":"init","session_id":"x","model":"own"}
        {"type":"assistant","message":{"id":"m1","model":"own","usage":{"input_tokens":10,\
        "output_tokens":3},"content":[]}}

        """)
      for agent in ["a", "b"] {
        try await scratch.shell("agent-run --agent \(agent) -- cat claude.ndjson >/dev/null")
      }
      let json = try await scratch.shell("agent-stat context")
      #expect(json.errors == "" && json.records("contextHealth").count == 2)
      let text = try await scratch.shell("agent-stat context --text")
      #expect(text.output.split(separator: "\n").allSatisfy { $0.contains(" ? ") })
      #expect(
        text.errors == """
          agent-stat: '?' marks an unknown context window, such as that of 'own': \
          set 'contextTokens' of the model in config.toml

          """)
    }
  }

  @Test func `tmux is run without the secrets of the environment`() async throws {
    try await Scratch.with { scratch in
      scratch.set("OPENAI_API_KEY", "sk-" + scratch.secret.suffix(30).lowercased())
      scratch.set("AWS_SECRET_ACCESS_KEY", "not-told")
      scratch.set("TMUX_TMPDIR", scratch.path("user"))
      try scratch.write("bin/tmux", "#!/bin/sh\nenv >\"$HOME/seen\"\n", executable: true)
      let run = try await scratch.shell("agent-stat terminals")
      #expect(run.statuses == [0] && run.errors == "")
      let names = scratch.read("user/seen").split(separator: "\n").compactMap {
        $0.split(separator: "=").first.map(String.init)
      }
      #expect(names.contains("TMUX_TMPDIR") && names.contains("HOME"))
      // The shell's own, too.
      let known: Set = [
        "PATH", "HOME", "TZ", "LANG", "USER", "TMUX_TMPDIR", "PWD", "OLDPWD", "SHLVL", "_",
      ]
      #expect(Set(names).isSubset(of: known))
    }
  }
}
