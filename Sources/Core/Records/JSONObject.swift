import Foundation

/// A JSON object from another program, read leniently.
///
/// The value of a member is nil if the member is missing, null or of another type. Use the type for
/// one line or one event only, so that Foundation's untyped values do not spread.
public struct JSONObject {
  private let members: [String: Any]

  /// Creates an object from the given text; nil if the text is not a JSON object.
  public init?(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Creates an object from the given bytes; nil if the bytes are not a JSON object.
  public init?(_ bytes: [UInt8]) {
    let value = try? JSONSerialization.jsonObject(with: Data(bytes))
    guard let members = value as? [String: Any] else { return nil }
    self.members = members
  }

  private init(members: [String: Any]) {
    self.members = members
  }

  /// `true` if the object has no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The names of the members, sorted.
  public var names: [String] { members.keys.sorted() }

  /// Returns `true` if the object has a member with the given name that is not null.
  public func has(_ name: String) -> Bool {
    members[name].map { !($0 is NSNull) } ?? false
  }

  /// Returns the member with the given name if it is a string.
  public func string(_ name: String) -> String? { members[name] as? String }

  /// Returns the member with the given name as text if it is a string or a whole number.
  public func word(_ name: String) -> String? { string(name) ?? integer(name).map(String.init) }

  /// Returns the member with the given name if it is a number.
  public func number(_ name: String) -> Double? {
    // JSONSerialization turns `true` into a number too; only its type differs.
    guard let number = members[name] as? NSNumber, String(cString: number.objCType) != "c" else {
      return nil
    }
    return number.doubleValue
  }

  /// Returns the member with the given name if it is a whole number within `Int`.
  public func integer(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) } }

  /// Returns the member with the given name, rounded to a whole number, if it is not negative.
  public func count(_ name: String) -> Int? {
    number(name).flatMap { Int(exactly: $0.rounded()) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Returns `true` if the member with the given name is true.
  public func isTrue(_ name: String) -> Bool { (members[name] as? Bool) == true }

  /// Returns the member with the given name if it is an object.
  public func object(_ name: String) -> JSONObject? {
    (members[name] as? [String: Any]).map { JSONObject(members: $0) }
  }

  /// Returns the objects in the array with the given name; other elements are skipped.
  public func objects(_ name: String) -> [JSONObject] {
    (members[name] as? [Any] ?? []).compactMap { $0 as? [String: Any] }.map(Self.init(members:))
  }

  /// Returns the elements of the array with the given name if all are objects; otherwise nil.
  public func onlyObjects(_ name: String) -> [JSONObject]? {
    objects(name).count == (members[name] as? [Any])?.count ? objects(name) : nil
  }

  /// Returns the strings in the array with the given name; nil if the member is not an array.
  public func strings(_ name: String) -> [String]? {
    (members[name] as? [Any])?.compactMap { $0 as? String }
  }

  /// The object as JSON text with sorted keys.
  public var json: String {
    Self.text(members, [.sortedKeys, .withoutEscapingSlashes]) ?? "{}"
  }

  /// Returns the object as JSON text, with the given values set and the given member removed.
  public func text(setting values: [String: Any], dropping name: String?) -> String? {
    Self.text(members.merging(values) { $1 }.filter { $0.key != name }, [])
  }

  private static func text(
    _ members: [String: Any], _ options: JSONSerialization.WritingOptions
  ) -> String? {
    guard let data = try? JSONSerialization.data(withJSONObject: members, options: options) else {
      return nil
    }
    return String(decoding: data, as: UTF8.self)
  }
}
