import Core
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Tools

@Suite("permission to call tools")
struct ToolConsentTests {
  private func tool(_ name: String, _ source: String, _ description: String) -> ToolRecord {
    ToolRecord(name: name, source: source, inputSchema: .object(["a": .string(description)]))
      .with { $0.description = description }
  }

  /// A person who answers at random, and everything to which the person said yes.
  private final class Person: Sendable {
    let state: Mutex<(random: SeededRandom, agreed: [(String, String, String?, ToolAnswer)])>

    init(seed: UInt64) { state = Mutex((SeededRandom(seed: seed), [])) }

    func answer(_ question: ToolQuestion) -> ToolAnswer {
      state.withLock { state in
        let answers: [ToolAnswer] = [.once, .chat, .always, .no, .nobody, .approved]
        let answer = state.random.one(of: answers, else: .no)
        if case .call(let tool, _) = question.subject {
          state.agreed.append((tool.fullName, tool.digest, question.chatId, answer))
        }
        return answer
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `nothing runs that nobody allowed, in 250 random runs each`(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<250 {
      let home = try Home()
      let patterns = ["*", "mcp:a/*", "mcp:b/x", "x", "?", "mcp:*/y", "nothing"]
      func some() -> [ToolPattern] {
        patterns.filter { _ in random.chance(5) }.map(ToolPattern.init)
      }
      let rules = ToolRules(allowed: some(), configured: some())
      let person = random.chance(2) ? Person(seed: random.next()) : nil
      var asking: ToolConsent.Asking?
      if let person { asking = { (question, _) in person.answer(question) } }
      let consent = ToolConsent(rules, ToolAgreements(home.directories), asking: asking)
      for _ in 0..<12 {
        let tool = tool(
          random.one(of: ["x", "y"], else: "x"), random.one(of: ["mcp:a", "mcp:b"], else: "mcp:a"),
          random.one(of: ["one", "two"], else: "one"))
        let (isNamed, chat) = (random.chance(8), random.one(of: [nil, "c1", "c2"], else: nil))
        let before = person?.state.withLock { $0.agreed.count } ?? 0
        let given: ToolPermission?
        do throws(Failure) {
          given = try await consent.permission(for: tool, .object([:]), isNamed: isNamed, in: chat)
        } catch {
          #expect([.permissionDenied, .userRejected].contains(error.code))
          given = nil
        }
        let agreed = person?.state.withLock { $0.agreed } ?? []
        let earlier = agreed.prefix(before).filter { $0.0 == tool.fullName }
        let last = agreed.dropFirst(before).last?.3
        switch given {
        case nil: #expect(!isNamed)
        case .named: #expect(isNamed)
        case .option: #expect(rules.allowed.contains { $0.matches(tool) })
        case .configuration: #expect(rules.configured.contains { $0.matches(tool) })
        case .agreement:
          // The last agreement about the tool was to the tool as it is.
          #expect(earlier.last { $0.3 == .always }?.1 == tool.digest)
        case .chat where last == .chat: #expect(chat != nil)
        case .chat:
          #expect(earlier.contains { $0.1 == tool.digest && $0.2 == chat && $0.3 == .chat })
        case .once: #expect(last == .once || last == .chat && chat == nil)
        case .always: #expect(last == .always)
        case .gate: #expect(last == .approved)
        }
      }
    }
  }

  @Test func `after stop nothing else is asked, and named calls still run`() async throws {
    let home = try Home()
    let count = Mutex(0)
    let consent = ToolConsent(ToolRules(), ToolAgreements(home.directories)) {
      (_, _) throws(Failure) in
      count.withLock { $0 += 1 }
      return .stop
    }
    let tool = tool("x", "mcp:a", "one")
    for _ in 0..<3 {
      await #expect(throws: Failure.self) {
        try await consent.permission(for: tool, .null, isNamed: false, in: nil)
      }
    }
    #expect(count.withLock(\.self) == 1)
    #expect(consent.isStopped)
    #expect(try await consent.permission(for: tool, .null, isNamed: true, in: nil) == .named)
  }

  @Test func `agreements that are given at once are all stored`() async throws {
    let home = try Home()
    let agreements = ToolAgreements(home.directories)
    await withTaskGroup { group in
      for number in 0..<20 {
        group.addTask { try? agreements.add(.init(name: "mcp:a/\(number)", digest: "d")) }
      }
    }
    #expect(try agreements.all().count == 20)
    #expect(try agreements.forget(ToolPattern("1?")).count == 10)
    #expect(try agreements.forget(nil).count == 10)
    let file = home.directories.data + "/tool-agreements.json"
    #expect(try home.mode(file) == 0o600)
    try home.setMode(file, 0o644)
    #expect(throws: Failure.self) { try agreements.all() }
  }

  @Test(arguments: [
    ("mcp:time/now", ["mcp:time/now"]), ("time/now", ["mcp:time/now"]),
    ("zone", ["mcp:time/zone"]), ("time", ["mcp:time", "mcp:time/now", "mcp:time/zone"]),
    ("mcp:clock", ["mcp:clock/now"]), ("*/now", ["mcp:clock/now", "mcp:time/now"]),
    ("mcp:time/*", ["mcp:time/now", "mcp:time/zone"]), ("nothing*", []),
  ])
  func `an agreement is forgotten by each name that a call takes`(
    _ word: String, _ names: [String]
  ) throws {
    let agreements = ToolAgreements(try Home().directories)
    for name in ["mcp:time", "mcp:time/now", "mcp:time/zone", "mcp:clock/now"] {
      try agreements.add(.init(name: name, digest: "d"))
    }
    #expect(try agreements.forget(ToolPattern(word)).map(\.name).sorted() == names)
  }

  @Test func `a name that means several agreements, or none, forgets nothing`() throws {
    let agreements = ToolAgreements(try Home().directories)
    for name in ["mcp:time/now", "mcp:clock/now"] {
      try agreements.add(.init(name: name, digest: "d"))
    }
    let several = #expect(throws: Failure.self) { try agreements.forget(ToolPattern("now")) }
    #expect(several?.kind == .ambiguous)
    let none = #expect(throws: Failure.self) { try agreements.forget(ToolPattern("nwo")) }
    #expect(none?.sentence == "there is no agreement to 'nwo'")
    #expect(try agreements.all().count == 2)
  }

  @Test func `a server from a file is admitted as it was agreed to`() async throws {
    let home = try Home()
    var settings = Settings.MCPSettings()
    (settings.command, settings.isImported) = (["server"], true)
    let entry = ServerEntry(name: "a", settings: settings)
    let agreements = ToolAgreements(home.directories)
    let nobody = ToolConsent(ToolRules(configured: [ToolPattern("*")]), agreements, asking: nil)
    await #expect(throws: Failure.self) { try await nobody.admit(entry) }
    let option = ToolConsent(ToolRules(allowed: [ToolPattern("mcp:a")]), agreements, asking: nil)
    try await option.admit(entry)
    try await nobody.admit(entry)
    var changed = entry
    changed.settings.env = ["LD_PRELOAD": "/tmp/a.so"]
    await #expect(throws: Failure.self) { try await nobody.admit(changed) }
    changed.settings.isImported = false
    try await nobody.admit(changed)
  }
}
