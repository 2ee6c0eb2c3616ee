import Testing

/// The rules of the house, held against the files of this checkout.
@Suite struct LayoutTests {
  let repository = Repository()

  @Test func `the checkout is found`() throws {
    #expect(try repository.sources().count > 100)
    #expect(try repository.tools() == repository.package().tools.sorted())
  }

  @Test func `a target imports what the package gives it and all of it`() throws {
    let rule = ImportRule(package: try repository.package())
    let files = try ["Sources", "Tests", "scripts"].flatMap {
      try repository.files($0, ending: ".swift")
    }
    rule.violationsOfPackage().record()
    files.flatMap(rule.violations).record()
    rule.idle(among: files).record()
  }

  @Test func `a file names its own floor and what lies below it`() throws {
    let files = try repository.sources()
    FloorRule().withoutRow(among: files).record()
    FloorRule.flat(among: files).record()
    FloorRule().violations(among: files).record()
  }

  @Test func `Core is small, and shared`() throws {
    CoreRule.violations(among: try repository.sources()).record()
  }

  @Test func `the handles of C libraries stay with their owners`() throws {
    let files = try repository.sources()
    let ours = Set(files.compactMap(\.target))
    let foreign = try repository.package().targets.map(\.name).filter {
      $0.hasPrefix("C") && !ours.contains($0)
    }
    #expect(foreign.contains("CCurl") && !foreign.contains("Core"))
    HandleRule(modules: Set(foreign)).violations(among: files).record()
  }

  @Test func `each type has a name of its own, and calls say what is what`() throws {
    let files = try repository.sources()
    NameRule.types(among: files).record()
    files.flatMap(NameRule.calls).record()
  }

  @Test func `no file is too long`() throws {
    let files =
      try repository.sources() + repository.files("Tests", ending: ".swift")
      + repository.files("Tests", ending: ".py") + repository.files("Package.swift")
      + repository.files("scripts").filter { !$0.path.contains("/licence-") }
    let found =
      files.flatMap(LengthRule(tools: try repository.package().tools).violations)
      + files.filter { $0.path.hasPrefix("Sources/") }.flatMap(LengthRule.functions)
    found.record()
  }

  @Test func `what is banned has a reason above it`() throws {
    let found = try repository.sources().flatMap(BanRule.violations)
    found.record()
  }

  @Test func `a transaction asks the file system nothing, in SQL that two engines share`() throws {
    let found = try repository.sources().flatMap(StoreRule.violations)
    found.record()
  }

  @Test func `models are named in data alone`() throws {
    let found = try repository.sources().flatMap(ModelNameRule.violations)
    found.record()
    let named = SourceFile(path: "Sources/A/A.swift", text: "let a = \"gpt-6\"\n// claude-x\n")
    #expect(ModelNameRule.violations(in: named).count == 1)
  }

  @Test func `one file writes stdout and one stderr`() throws {
    let found = try repository.sources().flatMap(OutputRule.violations)
    found.record()
  }

  @Test func `libraries speak through their callers`() throws {
    let rule = NoticeRule(tools: Set(try repository.package().tools))
    try repository.sources().flatMap(rule.violations).record()
  }

  @Test func `one journal writes events, and one table names their attributes`() throws {
    let found = try repository.sources().flatMap(JournalRule.violations)
    found.record()
  }

  @Test func `tools do not know whether they ask this machine or a hub`() throws {
    let rule = PlaceRule(tools: Set(try repository.package().tools))
    try repository.sources().flatMap(rule.violations).record()
  }

  @Test func `each run() of a tool is short`() throws {
    let rule = RunRule(tools: try repository.package().tools)
    try repository.sources().flatMap(rule.violations).record()
  }

  @Test func `every package has a row in the decisions`() throws {
    let package = try #require(try repository.files("Package.swift").first)
    let decisions = try #require(try repository.files("docs/decisions.md").first)
    DecisionRule.violations(of: package, in: decisions).record()
  }

  @Test func `no file names a path of one machine`() throws {
    let found = try repository.everything().flatMap(MachineRule.violations)
    found.record()
  }

  @Test func `every tool has its page and its completions`() throws {
    let found = try repository.tools().flatMap {
      CompanionRule.violations(of: $0, has: repository.has)
    }
    found.record()
  }
}

extension [Violation] {
  /// Records an issue for each, in a line that names the file and the line in it.
  func record() {
    for violation in self { Issue.record(Comment(rawValue: violation.description)) }
  }
}
