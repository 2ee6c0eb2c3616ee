public import Core
import Foundation

/// The members that the lines of several agents have.
extension JSONObject {
  /// The `type` member; empty if it is not a string.
  public var type: String { string("type") ?? "" }

  /// Returns the value of the member with the given name; nil if it is not a nonnegative number.
  public func amount(_ name: String) -> Double? {
    guard let number = number(name), number >= 0 else { return nil }
    // The number is capped, so that sums stay finite.
    return min(number, 1e15)
  }

  /// Returns the cost of one call in the member with the given name; nil if it cannot be one.
  public func cost(_ name: String) -> Double? {
    number(name).flatMap { (0...10_000).contains($0) ? $0 : nil }
  }

  /// Returns the texts in the member with the given name.
  ///
  /// The member is a string, or an array of objects with a `text`.
  public func texts(_ name: String) -> [String] {
    string(name).map { [$0] } ?? objects(name).compactMap { $0.string("text") }
  }

  /// Returns the number of characters in the texts of the member with the given name.
  public func characters(_ name: String) -> Int {
    texts(name).reduce(0) { $0 + $1.unicodeScalars.count }
  }

  /// The member `timestamp` as an instant.
  var timestamp: Timestamp? { string("timestamp").flatMap { Timestamp(iso8601: $0) } }

  /// Returns the instant in the member with the given name, in milliseconds since 1970.
  func instant(_ name: String) -> Timestamp? { Timestamp(unixMilliseconds: integer(name)) }

  /// Returns the arguments of a tool call in the member with the given name.
  ///
  /// The member is an object, or a text that contains one.
  func arguments(_ name: String, _ limits: SessionLimits) -> JSONValue? {
    guard limits.arguments > 0, has(name) else { return nil }
    let text = object(name)?.json ?? string(name) ?? ""
    // The decoder's time grows with the square of the nesting.
    guard text.utf8.count <= limits.arguments,
      text.utf8.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) <= 2000,
      let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)),
      case .object = value
    else { return .string(SessionLimits.cut(text, at: limits.arguments, "text")) }
    return value
  }
}

extension Timestamp {
  /// Creates the instant with the given milliseconds since 1970; nil if it is not in the years 1970
  /// to 9999.
  init?(unixMilliseconds number: Int?) {
    guard let number, (0...253_402_300_799_999).contains(number) else { return nil }
    self.init(milliseconds: Int64(number))
  }
}
