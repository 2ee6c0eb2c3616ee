import Testing

/// What judges us is not ours.
///
/// Left out are the files of what is not supported: `dynamicRef.json`, `refRemote.json`, and of the
/// optional ones `cross-draft.json` (a remote schema of another draft), `format-assertion.json`
/// (metaschemas of its own, and `format`) and the folder `format`.
@Suite(.enabled(if: SchemaSuite.isThere, "AGENTPIPES_SCHEMA_SUITE names no folder of the suite"))
struct SchemaSuiteTests {
  @Test func `every required test has its verdict`() throws {
    let verdicts = try SchemaSuite.verdicts(
      in: "", without: ["dynamicRef.json", "refRemote.json"])
    #expect(verdicts.wrong == [])
    let metaschema =
      "refers to '\(SchemaSuite.dialect)' outside the schema, which is not supported"
    let dialect = "must be '\(SchemaSuite.dialect)': other dialects are not supported"
    #expect(
      verdicts.refused == [
        "defs.json: validate definition against metaschema: '/$ref' of the schema \(metaschema)",
        "ref.json: remote ref, containing refs itself: '/$ref' of the schema \(metaschema)",
        "unevaluatedItems.json: unevaluatedItems with $dynamicRef: "
          + "'/$defs/baseSchema/$dynamicRef' of the schema is not supported",
        "unevaluatedProperties.json: unevaluatedProperties with $dynamicRef: "
          + "'/$defs/baseSchema/$dynamicRef' of the schema is not supported",
        "vocabulary.json: schema that uses custom metaschema with with no validation vocabulary: "
          + "'/$schema' of the schema \(dialect)",
        "vocabulary.json: ignore unrecognized optional vocabulary: '/$schema' of the schema "
          + dialect,
      ])
    #expect(verdicts.right > 1_000)
  }

  @Test func `every optional test has its verdict`() throws {
    let verdicts = try SchemaSuite.verdicts(
      in: "/optional", without: ["dynamicRef.json", "cross-draft.json", "format-assertion.json"])
    #expect(verdicts.wrong == [])
    #expect(verdicts.refused == [])
    #expect(verdicts.right > 100)
  }
}
