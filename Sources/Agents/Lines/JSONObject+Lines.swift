import Core
import Events

extension JSONObject {
  /// The `type` member.
  var type: String { string("type") ?? "" }

  /// Returns a member that is a nonnegative number.
  func amount(_ name: String) -> Double? {
    guard let number = number(name), number >= 0 else { return nil }
    // Capped, so that a sum of them stays a finite number.
    return min(number, 1e15)
  }

  /// Returns the texts of a member: a string, or an array of objects with `text`.
  func texts(_ name: String) -> [String] {
    string(name).map { [$0] } ?? objects(name).compactMap { $0.string("text") }
  }

  /// Returns the number of characters in the texts of a member.
  func characters(_ name: String) -> Int {
    texts(name).reduce(0) { $0 + $1.unicodeScalars.count }
  }
}

extension Redundancy {
  /// Adds the texts of a member.
  mutating func add(_ object: JSONObject, _ name: String) {
    for text in object.texts(name) { add(text) }
  }
}
