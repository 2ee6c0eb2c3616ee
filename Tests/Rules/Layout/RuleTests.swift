import Testing

/// Each rule finds what breaks it, and leaves alone what only looks like it.
@Suite struct RuleTests {
  private let lengths = LengthRule(tools: ["export-md"])

  private func file(_ path: String, _ text: String) -> SourceFile {
    SourceFile(path: path, text: text)
  }

  @Test func `a function of more than sixty lines is found`() {
    func text(_ lines: Int) -> String {
      let body = String(repeating: "    call { $0 }\n", count: lines - 2)
      return """
        protocol P { func none(_ a: () -> Void) }
        struct S {
          init(a: () -> Void = { }) {
        \(body)  }
          func next() { S.init() }
        }
        """
    }
    #expect(LengthRule.functions(in: file("Sources/M/A.swift", text(60))).isEmpty)
    #expect(
      LengthRule.functions(in: file("Sources/M/A.swift", text(61))).map(\.description) == [
        "Sources/M/A.swift:3: 'init' has 61 lines, 60 are allowed"
      ])
  }

  @Test func `the log beside the journal, and the name of an attribute, are found`() {
    let text = """
      let log = try EventLog(directories)
      attrs["gen_ai.operation.name"] = .string("chat")
      // EventLog and "gen_ai.x" are only told of here; EventLogBench is another word.
      let bench: EventLogBench
      """
    #expect(JournalRule.violations(in: file("Sources/Agents/A.swift", text)).count == 2)
    #expect(JournalRule.violations(in: file("Sources/Events/A.swift", text)).count == 1)
    #expect(JournalRule.violations(in: file(JournalRule.table, text)).isEmpty)
  }

  @Test func `a tool that tells this machine and a hub apart is found`() {
    let rule = PlaceRule(tools: ["show"])
    let text = "let a = HubSteering(peer)\n// HubOutlook\nlet b: LogSource"
    #expect(rule.violations(in: file("Sources/show/A.swift", text)).map(\.line) == [1, 3])
    #expect(rule.violations(in: file("Sources/HubQuestions/A.swift", text)).isEmpty)
  }

  @Test func `a C module that many files know, and a pointer that left it, are found`() {
    let rule = HandleRule(modules: ["CCurl"])
    let files = (1...4).map { file("Sources/HTTP/\($0).swift", "internal import CCurl") }
    #expect(rule.violations(among: Array(files.dropFirst())).isEmpty)
    #expect(
      rule.violations(among: files).map(\.description)
        == ["Sources/CCurl: is imported by 4 files, 3 are allowed"])
    let leak = file("Sources/HTTP/A.swift", "let a = 1\nvar handle: OpaquePointer?")
    #expect(rule.violations(among: [leak]).map(\.line) == [2])
    let owner = file("Sources/HTTP/B.swift", "import CCurl\nvar handle: OpaquePointer?")
    #expect(rule.violations(among: [owner]).isEmpty)
  }

  @Test func `a name that stands twice, or hides another's, is found`() {
    let files = [
      file("Sources/A/A.swift", "struct Words {}\nprivate struct Inner {}"),
      file(
        "Sources/B/B.swift", "enum Words {}\nprivate struct Inner {}\nstruct C { struct Words {} }"),
      file("Sources/B/D+Linux.swift", "struct Ring {}"),
      file("Sources/B/D+Darwin.swift", "struct Ring {}"),
    ]
    #expect(NameRule.types(among: files).count == 2)
    let hiding = file("Sources/A/A.swift", "struct B {}\nenum Actor {}")
    #expect(NameRule.types(among: [hiding]).map(\.line) == [2])
  }

  @Test(arguments: [
    ("func a(_ b: Int, _ c: Int, _ d: Int, _ e: Int) {}", 1),
    ("init(\n  _ b: [Int: (_ a: Int) -> Void],\n  _ c: Int, _ d: Int, _ e: Int\n) {}", 1),
    ("func a(_ b: Int, _ c: Int, _ d: Int, e: Int) {}", 0),
    ("func a<B: C>(b: Int, _ c: (_ d: Int, _ e: Int, _ f: Int, _ g: Int) -> Void) {}", 0),
    ("let a = b.init(_c, _d, _e, _f)", 0),
  ])
  func `a call that would not say what is what is found`(_ text: String, _ count: Int) {
    #expect(NameRule.calls(in: file("Sources/A/A.swift", text)).count == count)
  }

  @Test func `a long file is found`() {
    let line = "let a = 1\n"
    let name = "Sources/Core/A.swift"
    #expect(lengths.violations(in: file(name, String(repeating: line, count: 400))).isEmpty)
    #expect(
      lengths.violations(in: file(name, String(repeating: line, count: 401))).map(\.description)
        == ["Sources/Core/A.swift:401: has 401 lines, 400 are allowed"])
  }

  @Test func `a long command file is found`() {
    let line = "let a = 1\n"
    let name = "Sources/export-md/A.swift"
    #expect(lengths.violations(in: file(name, String(repeating: line, count: 150))).isEmpty)
    #expect(lengths.violations(in: file(name, String(repeating: line, count: 151))).count == 1)
  }

  @Test(arguments: [
    "print(1)", "  try! a()", "let a = b as! C", "final class A: @unchecked Sendable {}",
    "nonisolated(unsafe) var a = 1", "Task.detached { }", "fatalError()", "a ?? fatalError(\"b\")",
    "// swift-format-ignore", "preconditionFailure()", "dump(a)",
    "let a = CommandLine.arguments",
  ])
  func `what is banned is found`(_ text: String) {
    let found = BanRule.violations(in: file("Sources/Core/A.swift", "let a = 1\n\(text)\n"))
    #expect(found.map(\.line) == [2])
  }

  @Test(arguments: [
    "if FileLock.isHeld(path) { continue }", "guard access(path, F_OK) == 0 else { return }",
    "try run(\"INSERT OR IGNORE INTO a (b) VALUES (?)\")", "\"SELECT json_extract(record, '$.a')\"",
  ])
  func `what is no part of a transaction is found`(_ text: String) {
    let found = StoreRule.violations(in: file("Sources/Requests/Store+A.swift", "\n\(text)\n"))
    #expect(found.map(\.line) == [2])
    #expect(StoreRule.violations(in: file("Sources/Requests/Lease.swift", text)).isEmpty)
  }

  @Test func `a reason on the line above allows it`() {
    let text = "// A signal handler has no context.\nnonisolated(unsafe) var a = 1\n"
    #expect(BanRule.violations(in: file("Sources/Core/A.swift", text)).isEmpty)
  }

  @Test func `a reason does not reach past its line`() {
    let text = "// A reason.\nlet a = 1\nlet b = try! c()\n"
    #expect(BanRule.violations(in: file("Sources/Core/A.swift", text)).map(\.line) == [3])
  }

  @Test(arguments: [
    "fingerprint(a)", "/// print(page.title)", "let a = b as? C", "let a = 1  // never try! this",
  ])
  func `what only looks banned is left alone`(_ text: String) {
    #expect(BanRule.violations(in: file("Sources/Core/A.swift", text)).isEmpty)
  }

  @Test(arguments: [
    "fputs(a, stderr)", "write(2, a, b)", "write(STDERR_FILENO, a, b)", "fflush(stdout)",
    "write(1, a, b)", "FileHandle.standardError.write(a)", "let a: FileHandle = .standardOutput",
    "puts(a)", "NSLog(\"a\")",
  ])
  func `a write past the writers is found`(_ text: String) {
    #expect(!OutputRule.violations(in: file("Sources/Core/A.swift", text)).isEmpty)
  }

  @Test func `each writer has its own stream alone`() {
    let text = "write(2, a, b)"
    #expect(OutputRule.violations(in: file(OutputRule.errors.owner, text)).isEmpty)
    #expect(OutputRule.violations(in: file(OutputRule.output.owner, text)).count == 1)
  }

  @Test func `a library that speaks by itself is found`() {
    let rule = NoticeRule(tools: ["show"])
    let text = "// Diagnostics.shared\nDiagnostics.shared.report(\"a\")\nnote(\"b\")"
    #expect(rule.violations(in: file("Sources/Hub/A.swift", text)).map(\.line) == [2])
    #expect(rule.violations(in: file("Sources/Display/A.swift", text)).map(\.line) == [2])
    for path in ["Sources/show/A.swift", "Sources/Command/A.swift", NoticeRule.exception] {
      #expect(rule.violations(in: file(path, text)).isEmpty)
    }
  }

  @Test func `a help text may tell of stdout`() {
    let text = "@Option(help: \"Write to stdout, not stderr.\") var a = isatty(1)"
    #expect(OutputRule.violations(in: file("Sources/Core/A.swift", text)).isEmpty)
  }

  @Test func `a path of one machine is found`() {
    for place in MachineRule.places {
      let text = "first\nlet a = \"\(place)main\"\n"
      #expect(MachineRule.violations(in: file("Sources/Core/A.swift", text)).map(\.line) == [2])
      #expect(MachineRule.violations(in: file("scripts/test", place)).count == 1)
    }
  }

  @Test func `the toolchain's usual places are named in one script`() {
    #expect(
      MachineRule.violations(in: file("scripts/lib/toolchain", MachineRule.places[1])).isEmpty)
  }

  @Test func `an address is no path of a machine`() {
    for start in ["https://example.org", "file://<scratch>"] {
      let text = start + MachineRule.places[0]
      #expect(MachineRule.violations(in: file("docs/a.html", text)).isEmpty)
    }
  }

  @Test(arguments: [
    ("", 0), ("a()\nb()", 2), ("let a =\n  b(\n    c,\n    d)\n  .e", 1),
    ("guard a else { return }\nif b {\n  c()\n} else {\n  d()\n}", 4),
    ("switch a {\ncase .b: c()\ncase .d:\n  e()\n  f()\ndefault: return\n}", 5),
    ("a { b in\n  c()\n  d()\n}\ne(f {\n  g()\n})", 5),
    ("do {\n  a()\n} catch {\n  b()\n}\nlet c = d\n  ? e : f\n\"g\"", 5),
  ])
  func `the statements of run() are counted, those of its blocks too`(
    _ body: String, _ count: Int
  ) {
    let text = "func run(_ a: B) throws {\n\(body)\n}\nfunc c() {\nd()\n}"
    let tokens = TokenScanner.tokens(of: file("Sources/pair/A.swift", text))
    #expect(RunRule.statements(in: tokens[2...]) == count)
  }

  @Test func `a long run() is found, in a tool`() {
    let text = "func run() {\n" + String(repeating: "a()\n", count: 16) + "}\n"
    let rule = RunRule(tools: ["pair"])
    #expect(
      rule.violations(in: file("Sources/pair/A.swift", text)).map(\.description)
        == ["Sources/pair/A.swift:1: run() has 16 statements, 15 are allowed"])
    #expect(rule.violations(in: file("Sources/Core/A.swift", text)).isEmpty)
  }

  @Test func `a package without a row is found`() {
    let package = file(
      "Package.swift",
      """
      .package(url: "https://a.example/one", exact: "1.0.0"),
      .package(
        url: "https://a.example/two", exact: "1.0.0"),
      """)
    let decisions = file("docs/decisions.md", "| one, exact version | for | cost | because |\n")
    #expect(
      DecisionRule.violations(of: package, in: decisions).map(\.description)
        == ["docs/decisions.md: has no row for 'two'"])
  }

  @Test func `a tool without its page is found`() {
    let found = CompanionRule.violations(of: "pair") { $0 != "man/pair.1" }
    #expect(found.map(\.description) == ["man/pair.1: is missing for the tool 'pair'"])
    #expect(CompanionRule.violations(of: "pair") { _ in false }.count == 4)
  }
}
