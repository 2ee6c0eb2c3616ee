import CodingAgents
import Core
import Foundation
import TestSupport
import Testing

/// Session files of other agents, with the figures that must come out, in the folder that
/// AGENTPIPES_EVAL names.
private enum SessionFiles {
  static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_EVAL"].flatMap { folder in
    let sessions = "\(folder)/sessions"
    return FileManager.default.fileExists(atPath: sessions) ? sessions : nil
  }
}

@Suite(.enabled(if: SessionFiles.folder != nil, "AGENTPIPES_EVAL names no sessions"))
struct RecordedSessionTests {
  /// Returns the entries of all sessions in the given folder.
  private func entries(_ agent: CodingAgent, _ name: String) throws -> [SessionEntry] {
    let home = try Home()
    let copy = "\(home.path)/sessions"
    try FileManager.default.copyItem(
      atPath: "\(try #require(SessionFiles.folder))/\(name)", toPath: copy)
    let environment = ProcessInfo.processInfo.environment
    let reader = SessionReader(
      limits: .chats, environment: environment, interruption: Interruption())
    var entries: [SessionEntry] = []
    let fail = { (failure: Failure) throws(Failure) in throw failure }
    let places = SessionPlaces(agent, environment: environment)
    for source in try places.sources(in: copy, onFailure: fail) {
      try reader.read(
        source, to: { entries += $0 }, endingGroup: { () throws(Failure) in }, onFailure: fail)
    }
    return entries
  }

  /// The expected figures: calls, input, cached, written to a cache, output, reasoning.
  @Test(arguments: [
    (CodingAgent.claude, "made/claude", [8, 45 + 250 + 540, 540, 250, 175, 0]),
    (.claude, "ccusage/claude", [5, 730 + 90 + 110, 110, 90, 310, 0]),
    (.codex, "made/codex", [4, 2600, 900, 100, 180, 35]),
    (.codex, "ccusage/codex", [2, 3500, 750, 0, 425, 275]),
    (.codex, "ccusage/codex-branch", [2, 1600, 300, 0, 450, 40]),
    (.codex, "ccusage/codex-archived", [1, 111, 10, 0, 20, 1]),
    (.gemini, "made/gemini", [4, 510 + 50, 230, 0, 90 + 15 + 5, 15]),
    (.opencode, "made/opencode", [5, 240 + 12 + 24, 12, 24, 104 + 5, 5]),
    (.opencode, "ccusage/opencode", [1, 100 + 10 + 20, 10, 20, 50, 0]),
  ])
  func `tokens are those that were spent`(agent: CodingAgent, name: String, figures: [Int]) throws {
    let entries = try entries(agent, name)
    let calls = Transcript.calls(entries)
    let sum = calls.values.reduce(Usage()) { $0 + ($1.usage ?? Usage()) }
    #expect(
      [
        calls.count, sum.inputTokens, sum.cacheReadTokens, sum.cacheWriteTokens, sum.outputTokens,
        sum.reasoningTokens ?? 0,
      ] == figures)
    // Increases, as a follower of a growing file reports them, have the same sum.
    let grown = Transcript.sum(entries)
    #expect(grown.inputTokens == sum.inputTokens && grown.outputTokens == sum.outputTokens)
    #expect(Transcript.unknown(entries) == [])
  }

  @Test func `costs are those that the files state`() throws {
    let names = [
      (CodingAgent.claude, "ccusage/claude", 1.09), (.opencode, "made/opencode", 0.08),
      (.opencode, "ccusage/opencode", 0.02),
    ]
    for (agent, name, cost) in names {
      let calls = Transcript.calls(try entries(agent, name))
      #expect(abs(calls.values.compactMap(\.costUSD).reduce(0, +) - cost) < 1e-9)
    }
  }

  @Test func `prompts, compactions and failures are those of the people and the agents`() throws {
    let claude = try entries(.claude, "made/claude").filter { !$0.isCopy }
    let first = claude.filter { $0.session.name == "11111111-1111-4111-8111-111111111111" }
    #expect(
      Transcript.prompts(first) == [
        "Add a test for the parser.", "Let a helper look for more.", "Run them.",
      ])
    let marks = first.count { if case .compaction = $0.content { true } else { false } }
    // The boundary, and the summary that follows it.
    #expect(marks == 2)
    #expect(first.count { if case .failure = $0.content { true } else { false } } == 1)
    let codex = try entries(.codex, "made/codex")
    let thread = codex.filter { $0.session.id == "01970000-0000-7000-8000-000000000001" }
    #expect(Transcript.prompts(thread) == ["Fix the build.", "Now push."])
  }

  @Test func `each prompt of the real programs is there once, and no kind is unknown`() throws {
    // The recordings are cut, so that elements of the program lack their ends.
    let isWhole = { (text: String) in !text.hasSuffix("characters cut]") }
    let claude = try entries(.claude, "real/claude-2.1.332/projects").filter { !$0.isCopy }
    #expect(Transcript.unknown(claude) == [])
    let prompts = Dictionary(grouping: claude.filter { $0.session.subagent == nil }) {
      String($0.session.id.prefix(8))
    }.mapValues { Transcript.prompts($0).filter(isWhole) }
    #expect(
      prompts == [
        "0a3ba87f": ["SCRIPT:bad"], "1632752f": ["SCRIPT:hello r3"], "241d68ff": ["SCRIPT:cut"],
        "26928ad5": ["SCRIPT:limit"],
        "5224d278": ["SCRIPT:bgsub r1", "SCRIPT:hello r2", "SCRIPT:todo r4"],
        "6578d834": ["SCRIPT:refuse"], "69652b4f": ["SCRIPT:same"],
        "738e41cc": ["SCRIPT:overload"], "77ed4ee5": ["SCRIPT:auth"],
        "8f463470": ["SCRIPT:tools please"],
        "928a0dab": ["SCRIPT:two"], "967acde4": ["SCRIPT:tools again", "SCRIPT:slow now"],
      ])
    let codex = try entries(.codex, "real/codex-0.163.0/sessions")
    #expect(Transcript.unknown(codex) == [])
    #expect(
      Transcript.prompts(codex).filter(isWhole).map { String($0.dropFirst(7)) }.sorted() == [
        "auth", "bad", "bash in codex", "cut", "escal in codex", "fail", "fail", "hello", "limit",
        "limit", "over", "slow", "spawn", "tools", "tools",
      ])
  }

  @Test func `failures of the real programs have their status and kind`() throws {
    func failures(_ entries: [SessionEntry]) -> [String: [String]] {
      Dictionary(grouping: entries) { String($0.session.id.prefix(8)) }
        .mapValues(Transcript.failures).filter { !$0.value.isEmpty }
    }
    let claude = try entries(.claude, "real/claude-2.1.332/projects").filter { !$0.isCopy }
    #expect(
      failures(claude) == [
        "0a3ba87f": ["BadInput 400 invalidRequestError"],
        "241d68ff": ["InvalidResponse streamTruncated"],
        "26928ad5": ["RateLimited 429 rateLimitError"],
        "6578d834": ["ModelRefused refusal"],
        "738e41cc": Array(repeating: "Overloaded 529 overloadedError", count: 2),
        "77ed4ee5": Array(repeating: "MissingAPIKey 401 authenticationError", count: 8),
      ])
    let codex = try entries(.codex, "real/codex-0.163.0/sessions")
    #expect(
      Transcript.failures(codex).sorted() == [
        "BadInput contextLengthExceeded", "InvalidResponse cut",
        "MissingAPIKey 401 httpConnectionFailed", "RateLimited usageLimitExceeded",
        "RateLimited usageLimitExceeded",
      ])
    let contexts = codex.compactMap { entry in
      if case .call(let call) = entry.content { call.contextTokens } else { nil }
    }
    #expect(!contexts.isEmpty && contexts.allSatisfy { $0 == 258_400 })
  }
}
