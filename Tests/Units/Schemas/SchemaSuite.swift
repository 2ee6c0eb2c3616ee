import Core
import Foundation
import Schemas

/// The official suite of JSON Schema, in the folder that AGENTPIPES_SCHEMA_SUITE names:
/// `json/tests/draft2020-12` of the source distribution of PyPI's jsonschema.
enum SchemaSuite {
  static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_SCHEMA_SUITE"]
  static let dialect = "https://json-schema.org/draft/2020-12/schema"
  static var isThere: Bool { folder != nil }

  struct Group: Decodable {
    var description: String
    var schema: JSONValue
    var tests: [Case]
  }

  struct Case: Decodable {
    var description: String
    var data: JSONValue
    var valid: Bool
  }

  /// What came of the files of a folder, as lines that name file and group.
  struct Verdicts: Equatable {
    var right = 0
    var wrong: [String] = []
    /// The groups whose schema was refused, with the reason.
    var refused: [String] = []
  }

  /// The suite's files in a folder of it, but for those that are left out.
  static func verdicts(in part: String, without left: Set<String>) throws -> Verdicts {
    guard let folder else { return Verdicts() }
    var verdicts = Verdicts()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + part).sorted()
    for name in names where name.hasSuffix(".json") && !left.contains(name) {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder + part + "/" + name))
      for group in try JSONDecoder().decode([Group].self, from: data) {
        judge(group, "\(name): \(group.description)", &verdicts)
      }
    }
    return verdicts
  }

  private static func judge(_ group: Group, _ title: String, _ verdicts: inout Verdicts) {
    do throws(Failure) {
      let schema = try JSONSchema(group.schema)
      for one in group.tests {
        if (schema.problem(in: one.data) == nil) == one.valid {
          verdicts.right += 1
        } else {
          verdicts.wrong.append("\(title): \(one.description)")
        }
      }
    } catch {
      verdicts.refused.append("\(title): \(error.explanation)")
    }
  }
}
