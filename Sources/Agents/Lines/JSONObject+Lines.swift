import Core
import Events

extension JSONObject {
  /// The `type` member; empty if it is not a string.
  var type: String { string("type") ?? "" }

  /// Returns the value of the member with the given name; nil if it is not a nonnegative number.
  func amount(_ name: String) -> Double? {
    guard let number = number(name), number >= 0 else { return nil }
    // The number is capped, so that sums stay finite.
    return min(number, 1e15)
  }

  /// Returns the texts in the member with the given name.
  ///
  /// The member is a string, or an array of objects with a `text`.
  func texts(_ name: String) -> [String] {
    string(name).map { [$0] } ?? objects(name).compactMap { $0.string("text") }
  }

  /// Returns the number of characters in the texts of the member with the given name.
  func characters(_ name: String) -> Int {
    texts(name).reduce(0) { $0 + $1.unicodeScalars.count }
  }
}

extension Redundancy {
  /// Adds the texts in the member with the given name of `object`.
  mutating func add(_ object: JSONObject, _ name: String) {
    for text in object.texts(name) { add(text) }
  }
}
