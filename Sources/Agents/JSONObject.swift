import Core
import Foundation

/// A JSON object of a line that nobody promised anything about: what is asked for is there and of
/// the right type, or nil.
struct JSONObject {
  private let members: [String: Any]

  /// Reads a line that is one JSON object; nil for anything else.
  init?(_ line: [UInt8]) {
    guard line.first == UInt8(ascii: "{"),
      let value = try? JSONSerialization.jsonObject(with: Data(line)),
      let members = value as? [String: Any]
    else { return nil }
    self.members = members
  }

  private init(members: [String: Any]) { self.members = members }

  /// The `type` member.
  var type: String { string("type") ?? "" }

  /// The names of the members, sorted.
  var names: [String] { members.keys.sorted() }

  /// A member that is a string.
  func string(_ name: String) -> String? { members[name] as? String }

  /// A member that is a whole number, not negative.
  func count(_ name: String) -> Int? {
    guard let number = members[name] as? NSNumber,
      let count = Int(exactly: number.doubleValue.rounded()), count >= 0
    else { return nil }
    return count
  }

  /// A member that is a number, not negative.
  func number(_ name: String) -> Double? {
    guard let number = (members[name] as? NSNumber)?.doubleValue, number >= 0 else { return nil }
    // No sum of them ceases to be a number.
    return min(number, 1e15)
  }

  /// Whether a member is true.
  func isTrue(_ name: String) -> Bool { (members[name] as? Bool) == true }

  /// A member that is an object.
  func object(_ name: String) -> JSONObject? {
    (members[name] as? [String: Any]).map { JSONObject(members: $0) }
  }

  /// The objects in a member that is an array.
  func objects(_ name: String) -> [JSONObject] {
    (members[name] as? [Any] ?? []).compactMap { $0 as? [String: Any] }.map {
      JSONObject(members: $0)
    }
  }

  /// The texts of a member: a string, or an array of objects with `text`.
  func texts(_ name: String) -> [String] {
    string(name).map { [$0] } ?? objects(name).compactMap { $0.string("text") }
  }

  /// How many characters the texts of a member have.
  func characters(_ name: String) -> Int {
    texts(name).reduce(0) { $0 + $1.unicodeScalars.count }
  }

  /// The object with other values for some of its members, and without one, as JSON text.
  func text(setting values: [String: Any], dropping name: String?) -> String? {
    let merged = members.merging(values) { $1 }.filter { $0.key != name }
    guard let data = try? JSONSerialization.data(withJSONObject: merged) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }
}

extension Redundancy {
  /// Takes the texts of a member in.
  mutating func add(_ object: JSONObject, _ name: String) {
    for text in object.texts(name) { add(text) }
  }
}
