import Core
import Events

extension JSONObject {
  /// The `type` member.
  var type: String { string("type") ?? "" }

  /// A member that is a number, not negative.
  func amount(_ name: String) -> Double? {
    guard let number = number(name), number >= 0 else { return nil }
    // No sum of them ceases to be a number.
    return min(number, 1e15)
  }

  /// The texts of a member: a string, or an array of objects with `text`.
  func texts(_ name: String) -> [String] {
    string(name).map { [$0] } ?? objects(name).compactMap { $0.string("text") }
  }

  /// How many characters the texts of a member have.
  func characters(_ name: String) -> Int {
    texts(name).reduce(0) { $0 + $1.unicodeScalars.count }
  }
}

extension Redundancy {
  /// Takes the texts of a member in.
  mutating func add(_ object: JSONObject, _ name: String) {
    for text in object.texts(name) { add(text) }
  }
}
