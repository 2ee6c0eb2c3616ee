import Core
import Foundation
import TestSupport
import Testing

/// The schemas in `docs/schemas` name the members that Core's records have.
struct SchemaTests {
  /// What of a schema is held against a record.
  private struct Schema: Decodable {
    /// A member's own schema, of which nothing is needed.
    struct Member: Decodable {
      init(from decoder: any Decoder) {}
    }

    var properties: [String: Member]
    var required: Set<String>
  }

  private func schema(_ type: String) throws -> Schema {
    let text = try Repository.text("docs/schemas/\(type).json")
    return try JSONDecoder().decode(Schema.self, from: Data(text.utf8))
  }

  @Test func `every record type has a schema, and no other has`() throws {
    let files = try Repository.names(in: "docs/schemas").filter { $0.hasSuffix(".json") }
    let types = RecordPageTests.records.map { $0.type + ".json" }
    #expect(Set(files) == Set(types + ["common.json"]))
  }

  @Test(arguments: RecordPageTests.records)
  func `a schema names a record's members and no others`(
    record: RecordPageTests.Record
  ) throws {
    #expect(Set(try schema(record.type).properties.keys) == record.members.union(["type"]))
  }

  @Test(arguments: RecordPageTests.records)
  func `what a schema requires is what is always written`(record: RecordPageTests.Record) throws {
    let required = try schema(record.type).required
    let example = try ManualPage("agentpipes.5").example(inSubsection: record.type)
    let members = try Self.members(of: example)
    let least = members.filter { required.contains($0.key) }
    let line = try JSONSerialization.data(withJSONObject: least)
    let written = try Self.members(of: record.rewritten(String(decoding: line, as: UTF8.self)))
    #expect(Set(written.keys) == required)
  }

  private static func members(of line: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return object ?? [:]
  }
}
