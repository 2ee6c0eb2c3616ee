import Testing

/// The rules of the house, held against the files of this checkout.
@Suite struct LayoutTests {
  let repository = Repository()

  @Test func `the checkout is found`() throws {
    #expect(try repository.sources().count > 100)
    #expect(try repository.tools() == ImportRule.tools.keys.sorted())
  }

  @Test func `a target imports only what the table of the design allows`() throws {
    let found = try repository.sources().flatMap(ImportRule.violations)
    found.record()
  }

  @Test func `no file is too long`() throws {
    let files =
      try repository.sources() + repository.files("Tests", ending: ".swift")
      + repository.files("Tests", ending: ".py") + repository.files("Package.swift")
      + repository.files("scripts")
    let found = files.flatMap(LengthRule.violations)
    found.record()
  }

  @Test func `what is banned has a reason above it`() throws {
    let found = try repository.sources().flatMap(BanRule.violations)
    found.record()
  }

  @Test func `one file writes stdout and one stderr`() throws {
    let found = try repository.sources().flatMap(OutputRule.violations)
    found.record()
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
