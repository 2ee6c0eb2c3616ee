import Testing

/// What judges us is not ours.
@Suite(.enabled(if: SchemaSuite.isThere, "AGENTPIPES_SCHEMA_SUITE names no folder of the suite"))
struct SchemaSuiteTests {
  @Test func `every required test has its verdict`() throws {
    let verdicts = try SchemaSuite.verdicts(in: "", without: [])
    #expect(verdicts.wrong == [])
    #expect(verdicts.refused == [])
    #expect(verdicts.right > 1_000)
  }

  @Test func `every optional test has its verdict`() throws {
    let verdicts = try SchemaSuite.verdicts(in: "/optional", without: [])
    #expect(verdicts.wrong == [])
    #expect(verdicts.refused == [])
    #expect(verdicts.right == 0)
  }
}
