import Core
import Foundation
import TestSupport
import Testing

/// The schemas in `docs/schemas` name the members that Core's records have.
struct SchemaTests {
  /// The parts of a schema that are compared with a record.
  private struct Schema: Decodable {
    /// A member's own schema; the page of the record shows its description.
    struct Member: Decodable {
      var description: String?
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
  func `every member is described in plain words`(record: RecordPageTests.Record) throws {
    for (name, member) in try schema(record.type).properties where name != "type" {
      let text = try #require(member.description, "'\(name)' has no description")
      let isPlain = !text.contains(#/^(What|Whether|How|Who|Where|When|Which|Why)\b/#)
      #expect(isPlain, "'\(name)' begins with a question word")
    }
  }

  @Test(arguments: RecordPageTests.records)
  func `what a schema requires is what is always written`(record: RecordPageTests.Record) throws {
    let required = try schema(record.type).required
    let example = try record.page().example(inSubsection: record.type)
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
