import Foundation
import TestSupport
import Testing

/// The folder of session files with expected figures, where AGENTPIPES_EVAL has them.
private let recorded = Places.environment["AGENTPIPES_EVAL"].flatMap { folder -> String? in
  FileManager.default.fileExists(atPath: folder + "/sessions") ? folder + "/sessions" : nil
}

@Suite("recorded sessions", .enabled(if: recorded != nil, "AGENTPIPES_EVAL names no sessions"))
struct RecordedAdoptionTests {
  @Test func `calls that no transcript has are in the sums, or a part of the cost is unknown`()
    async throws
  {
    try await Scratch.with { scratch in
      let from = try #require(recorded) + "/real/claude-2.1.332/projects"
      try await scratch.shell("mkdir copy; cp -r '\(from)' copy/projects; rm copy/projects/*.json")
      scratch.set("CLAUDE_CONFIG_DIR", scratch.path("work/copy"))
      for _ in 0..<2 {
        try await scratch.shell("agent-adopt --since 36500d >/dev/null")
        let agents = try await scratch.shell(
          """
          agent-stat agents | jq -r '[.id[7:11], .usage.inputTokens, .usage.outputTokens, \
          .costUSD // "\\(.knownCostUSD) + ?"] | join(" ")' | sort
          """)
        // What the server counted; the process of the session 967a was killed.
        #expect(
          agents.output == """
            0a3b 0 0 0
            1632 6629 443 0.0163256
            241d 18846 341 0.0260244
            2692 0 0 0
            5224 66257 4419 0.1629348
            6578 12595 665 0.026198
            6965 19167 1089 0.0419688
            738e 6257 319 0.0127048
            77ed 0 0 0
            8f46 99608 4936 0.129248985
            928a 19095 1065 0.02790964
            967a 49780 2460 0.098952 + ?

            """)
        let models = try await scratch.shell(
          """
          agent-stat usage --by model | jq -c '[.key, .inputTokens + .outputTokens, .costUSD, \
          .knownCostUSD, .unknownCalls]'
          """)
        #expect(
          models.output == """
            ["claude-opus-5-5",235331,0.4742756,null,null]
            ["claude-sonnet-5",65420,0.0672935,null,null]
            ["claude-haiku-5-5",13220,0.000697925,null,null]
            ["",0,null,0,0]

            """)
      }
    }
  }

  @Test(arguments: [
    ("CLAUDE_CONFIG_DIR", "made/claude", "835 175"),
    ("CLAUDE_CONFIG_DIR", "ccusage/claude", "930 310"),
    ("CODEX_HOME", "ccusage/codex", "3500 425"),
    ("OPENCODE_DB", "made/opencode/opencode.db", "196 69"),
  ])
  func `tokens are those that were spent`(
    _ variable: String, _ name: String, _ sums: String
  ) async throws {
    try await Scratch.with { scratch in
      let from = try #require(recorded)
      try await scratch.shell("cp -r '\(from)/\(name)' copy")
      let isFile = name.hasSuffix(".db")
      if isFile { try await scratch.shell("mkdir db; mv copy db/opencode.db") }
      scratch.set(variable, scratch.path(isFile ? "work/db/opencode.db" : "work/copy"))
      for _ in 0..<2 {
        try await scratch.shell("agent-adopt --since 36500d >/dev/null")
        let usage = try await scratch.shell(
          "agent-stat agents | jq -rs '[map(.usage.inputTokens), map(.usage.outputTokens)] | map(add) | join(\" \")'"
        )
        #expect(usage.output == sums + "\n")
      }
    }
  }
}
