import Foundation
import Testing

/// The model that a plan carries to its stages.
@Suite("the model of a plan")
struct PlanModelTests {
  @Test func `a model that a person named for the plan is the stages' unless something names one`()
    async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels()
      let free = "ceo-plan 'Compare the two' --model extractive"
      try scratch.write("work/page", Plan.page)
      let run = try await scratch.shell("\(free) | cat - page | stage-run --yolo")
      #expect(run.statuses == [0, 0, 0])
      #expect(server.requests.isEmpty)
      scratch.set("AGENTPIPES_MODEL", "gpt-5.5")
      try await scratch.shell("\(free) | stage-run --yolo")
      #expect(Set(server.requests.map { $0["model"] }) == ["gpt-5.5"])
    }
  }

  @Test func `a plan that goes on carries the model that a person named for the chat`() async throws
  {
    try await Scratch.with { scratch in
      let server = try await scratch.serveModels(#"[{"text":"No plan.","times":1}]"#)
      let next = "ceo-plan --continue 'Only the producer'"
      let told = "jq -c 'select(.goal) | [.model, .stageModel]'"
      try await scratch.shell("ceo-plan 'Compare the two' --model extractive")
      try scratch.write("work/page", Plan.page)
      let run = try await scratch.shell("\(next) | cat - page | stage-run --yolo")
      #expect(run.statuses == [0, 0, 0])
      #expect(
        try await scratch.shell("\(next) | \(told)").output == "[\"extractive\",\"extractive\"]\n")
      #expect(server.requests.isEmpty)
      // A reply without a plan, and a model that was named for the CEO alone.
      try await scratch.shell("ceo-plan 'Compare the two' --model gpt-5.5")
      #expect(try await scratch.shell("\(next) | \(told)").output == "[\"gpt-5.5\",\"gpt-5.5\"]\n")
      try scratch.write("work/team.toml", "[roles.ceo]\nmodel = \"extractive\"\n")
      try await scratch.shell("ceo-plan 'Compare the two' --team team.toml")
      #expect(try await scratch.shell("\(next) | \(told)").output == "[\"extractive\",null]\n")
    }
  }

  @Test func `a default is not carried`() async throws {
    try await Scratch.with { scratch in
      try await scratch.serveModels()
      let told = "jq -c 'select(.goal) | [.model != null, .stageModel]'"
      for words in ["ceo-plan Compare", "AGENTPIPES_MODEL=gpt-5.5 ceo-plan Compare"] {
        #expect(try await scratch.shell("\(words) | \(told)").output == "[true,null]\n")
      }
    }
  }
}
