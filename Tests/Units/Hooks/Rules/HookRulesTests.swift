import CodingAgents
import Core
import Foundation
import Hooks
import TestSupport
import Testing

@Suite("rules of hooks")
struct HookRulesTests {
  private func rules(
    allow: [String] = [], deny: [String] = [], ask: [String] = []
  ) throws -> HookRules {
    var settings = Settings.HookSettings()
    (settings.allow, settings.deny, settings.ask) = (allow, deny, ask)
    return try HookRules(settings)
  }

  private func request(_ tool: String, _ input: [String: JSONValue]) -> HookRequest {
    var request = HookRequest(HookForm(.claude, "PreToolUse"), tool: tool, input: input)
    request.folder = "/home/user/work"
    return request
  }

  private func bash(_ line: String, _ others: [String: JSONValue] = [:]) -> HookRequest {
    request("Bash", others.merging(["command": .string(line)]) { $1 })
  }

  @Test func `deny wins over ask, and ask over allow`() throws {
    let rules = try rules(
      allow: ["Bash(git *)", "Read(*)"], deny: ["Bash(git push*)"], ask: ["Bash(git commit*)"])
    #expect(rules.verdict(on: bash("git status")) == .allow("Bash(git *)"))
    #expect(rules.verdict(on: bash("git commit -m x")) == .ask)
    #expect(rules.verdict(on: bash("git push")) == .deny("Bash(git push*)"))
    #expect(rules.verdict(on: bash("git status; git push")) == .deny("Bash(git push*)"))
    #expect(rules.verdict(on: bash("git status; git commit")) == .ask)
    #expect(rules.verdict(on: bash("ls")) == .ask)
    #expect(
      try self.rules(allow: ["*"], deny: ["*"], ask: ["*"]).verdict(on: bash("ls")) == .deny("*"))
    #expect(try self.rules().verdict(on: bash("ls")) == .ask)
  }

  @Test(arguments: ["Bash(*)", "Bash", "*", "B??h", "Bash(git status*)"])
  func `no allow rule covers a compound command`(_ rule: String) throws {
    let rules = try rules(allow: [rule])
    #expect(rules.verdict(on: bash("git status")) == .allow(rule))
    for line in [
      "git status; rm -rf x", "git status $(rm x)", "git status && rm x", "git status\nrm x",
      "git status > x", "A=b git status",
    ] {
      #expect(rules.verdict(on: bash(line)) == .ask, "\(line)")
    }
  }

  @Test func `a member that may change the meaning of a command needs a person`() throws {
    let rules = try rules(allow: ["Bash(git status)"])
    for (name, value) in [
      ("description", JSONValue.string("x")), ("timeout", .int(5)),
      ("dangerouslyDisableSandbox", .bool(false)),
    ] {
      #expect(rules.verdict(on: bash("git status", [name: value])) == .allow("Bash(git status)"))
    }
    for (name, value) in [
      ("dangerouslyDisableSandbox", JSONValue.bool(true)), ("cmd", .string("rm x")),
      ("with_escalated_permissions", .int(1)),
    ] {
      #expect(rules.verdict(on: bash("git status", [name: value])) == .ask, "\(name)")
    }
    #expect(
      rules.verdict(on: request("Bash", ["command": .array([.string("git status")])])) == .ask)
  }

  @Test func `a path is compared as given and from the root`() throws {
    func read(_ path: String) -> HookRequest { request("Read", ["file_path": .string(path)]) }
    let allow = try rules(allow: ["Read(/home/user/work/*)"])
    for path in ["/home/user/work/a", "a", "./a", "/home/user//work/a"] {
      #expect(allow.verdict(on: read(path)) == .allow("Read(/home/user/work/*)"), "\(path)")
    }
    for path in ["/home/user/work/../.ssh/id", "../x", "/etc/passwd", "/home/user/work"] {
      #expect(allow.verdict(on: read(path)) == .ask, "\(path)")
    }
    #expect(try rules(allow: ["Read(*)"]).verdict(on: read("../x")) == .allow("Read(*)"))
    let deny = try rules(allow: ["Read"], deny: ["Read(/etc/*)"])
    for path in ["/etc/passwd", "/etc//passwd", "/home/../etc/passwd", "../../../etc/passwd"] {
      #expect(deny.verdict(on: read(path)) == .deny("Read(/etc/*)"), "\(path)")
    }
  }

  @Test func `a path that a tool may read in another way is not certain`() throws {
    func read(_ path: String) -> HookRequest { request("Read", ["file_path": .string(path)]) }
    let allow = try rules(allow: ["Read(/home/user/work/*)"])
    for path in ["~/.ssh/id", " /etc/passwd", "a\n", "~root/x", "../\u{301}x"] {
      #expect(allow.verdict(on: read(path)) == .ask, "\(path)")
    }
    let rule = "Read(\(NSHomeDirectory())/.ssh/*)"
    let deny = try rules(allow: ["Read"], deny: [rule])
    for path in ["~/.ssh/id", " ~/.ssh/id", "\(NSHomeDirectory())/.ssh/id "] {
      #expect(deny.verdict(on: read(path)) == .deny(rule), "\(path)")
    }
    var homeless = read("a")
    homeless.folder = nil
    #expect(try rules(allow: ["Read(/a)"]).verdict(on: homeless) == .ask)
  }

  @Test func `a name of a file cannot complete a command to one of another rule`() throws {
    let rules = try rules(allow: ["Bash(git *)", "Bash(ls *)"], ask: ["Bash(git push*)"])
    for line in ["git pus[h] origin", "git p* origin", "git pus? origin", "git p*\u{301} x"] {
      #expect(rules.verdict(on: bash(line)) == .ask, "\(line)")
    }
    #expect(rules.verdict(on: bash("git log '*.swift'")) == .allow("Bash(git *)"))
    let alone = try self.rules(allow: ["Bash(ls *)"])
    #expect(alone.verdict(on: bash("ls *.swift")) == .allow("Bash(ls *)"))
  }

  @Test func `the folder of a command is that of the session`() throws {
    let rules = try rules(allow: ["Bash(./build.sh)"])
    for (folder, isAllowed) in [("/home/user/work", true), ("/tmp/x", false), ("build", false)] {
      for name in ["workdir", "directory", "dir_path"] {
        #expect(
          rules.verdict(on: bash("./build.sh", [name: .string(folder)]))
            == (isAllowed ? .allow("Bash(./build.sh)") : .ask))
      }
    }
  }

  @Test func `other tools are compared by their arguments as JSON`() throws {
    let call = request("mcp__files__write", ["path": .string("/tmp/a"), "text": .string("b")])
    for (rule, isAllowed) in [
      ("mcp__files__*", true), ("mcp__files__write(*)", true),
      (#"mcp__files__write({"path":"/tmp/*","text":"*"})"#, true),
      (#"mcp__files__write({"path":"/tmp/*)"#, false), ("mcp__files__write(/tmp/*)", false),
      ("mcp__files__read", false), ("MCP__files__write", false),
    ] {
      #expect(
        try rules(allow: [rule]).verdict(on: call) == (isAllowed ? .allow(rule) : .ask), "\(rule)")
    }
    let shell = request("mcp__box__run", ["command": .string("ls; rm x")])
    #expect(try rules(allow: ["mcp__box__*"]).verdict(on: shell) == .ask)
    #expect(
      try rules(deny: ["mcp__box__run(rm *)"]).verdict(on: shell) == .deny("mcp__box__run(rm *)"))
    let fetch = request(
      "WebFetch", ["url": .string("https://example.org/a"), "prompt": .string("x")])
    #expect(
      try rules(allow: ["WebFetch(https://example.org/*)"]).verdict(on: fetch)
        == .allow("WebFetch(https://example.org/*)"))
  }

  @Test(arguments: ["", "Bash(", "Bash)", "(git status)", "Bash(git) x", "Bash(git status:*)"])
  func `a malformed pattern is refused`(_ pattern: String) {
    for lists in [([pattern], [], []), ([], [pattern], []), ([], [], [pattern])]
      as [([String], [String], [String])]
    {
      let failure = #expect(throws: Failure.self) {
        try rules(allow: lists.0, deny: lists.1, ask: lists.2)
      }
      #expect(failure?.code == .badConfiguration)
    }
  }

  // MARK: The oracle

  /// Decides by fnmatch(3) and regular expressions.
  private struct Oracle {
    var allow: [String], deny: [String], ask: [String]

    static func matches(_ rule: String, _ line: String) -> Bool {
      guard rule.hasPrefix("Bash(") else { return rule == "Bash" || rule == "*" }
      let pattern = String(rule.dropFirst(5).dropLast())
      return fnmatch(pattern, line, 0) == 0
    }

    static func isSimple(_ line: String) -> Bool {
      line.wholeMatch(of: /[ab\-]+( +([ab\-=]|'[^'\n]*')*)*/) != nil
    }

    /// What must hold for the verdict on the given line.
    func agrees(with verdict: HookRules.Verdict, on line: String) -> Bool {
      let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
      let pieces = line.split { ";&|()\n".contains($0) }
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      let isDenied = deny.contains { rule in ([line] + pieces).contains { Self.matches(rule, $0) } }
      let isAsked = ask.contains { rule in ([line] + pieces).contains { Self.matches(rule, $0) } }
      let isAllowed = Self.isSimple(line) && allow.contains { Self.matches($0, line) }
      // Lines without quotes and assignments have no other parts than these.
      let isPlain = line.wholeMatch(of: /[ab;&|()$\n\-]*( [ab;&|()$\n\-]+)*/) != nil
      switch verdict {
      case .deny: return isDenied || !isPlain
      case .ask: return !isDenied && (isAsked || !isAllowed || !isPlain)
      // Without the words behind an option, the line is another.
      case .caution: return !isDenied && !isAsked && line.contains(" -")
      case .allow: return !isDenied && !isAsked && isAllowed
      }
    }
  }

  @Test func `a thousand random rules agree with an oracle`() throws {
    var random = SeededRandom(seed: 1)
    func text(_ letters: [String], _ most: Int) -> String {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in random.one(of: letters, else: "a") }
        .joined()
    }
    var allowed = 0
    for _ in 0..<1000 {
      func list() -> [String] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in
          random.chance(8)
            ? random.one(of: ["Bash", "*", "Bash(*)", "Read"], else: "*")
            : "Bash(\(text(["a", "b", " ", "*", "?", "-", ";"], 5)))"
        }
      }
      let oracle = Oracle(allow: list() + list(), deny: list(), ask: list())
      let rules = try rules(allow: oracle.allow, deny: oracle.deny, ask: oracle.ask)
      for _ in 0..<10 {
        let line =
          random.chance(2)
          ? text(["a", "b", " ", "-"], 5)
          : text(["a", "b", " ", "-", ";", "&", "|", "$", "(", ")", "'", "=", "\n"], 7)
        let verdict = rules.verdict(on: bash(line))
        if case .allow = verdict { allowed += 1 }
        #expect(oracle.agrees(with: verdict, on: line), "\(oracle) '\(line)' \(verdict)")
      }
    }
    #expect(allowed > 200)
  }
}
