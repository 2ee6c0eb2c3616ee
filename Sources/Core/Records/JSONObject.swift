import Foundation

/// A JSON object from outside, read leniently: what is missing, null or of another type is nil.
///
/// It lives for one line or one event, so that Foundation's untyped values travel no further.
public struct JSONObject {
  private let members: [String: Any]

  /// Reads a text; nil when it is not a JSON object.
  public init?(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Reads bytes; nil when they are not a JSON object.
  public init?(_ bytes: [UInt8]) {
    let value = try? JSONSerialization.jsonObject(with: Data(bytes))
    guard let members = value as? [String: Any] else { return nil }
    self.members = members
  }

  private init(members: [String: Any]) {
    self.members = members
  }

  /// Whether the object has no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The names of the members, sorted.
  public var names: [String] { members.keys.sorted() }

  /// Whether there is a member of this name that is not null.
  public func has(_ name: String) -> Bool {
    members[name].map { !($0 is NSNull) } ?? false
  }

  /// A member that is a string.
  public func string(_ name: String) -> String? { members[name] as? String }

  /// A member that is a string or a whole number, as a string: some servers send numbers for codes.
  public func word(_ name: String) -> String? { string(name) ?? integer(name).map(String.init) }

  /// A member that is a number.
  public func number(_ name: String) -> Double? {
    // JSONSerialization makes a number of `true`, too; its type tells it apart.
    guard let number = members[name] as? NSNumber, String(cString: number.objCType) != "c" else {
      return nil
    }
    return number.doubleValue
  }

  /// A member that is a whole number within `Int`.
  public func integer(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) } }

  /// A member that is a number, not negative, as the nearest whole one.
  public func count(_ name: String) -> Int? {
    number(name).flatMap { Int(exactly: $0.rounded()) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Whether a member is true.
  public func isTrue(_ name: String) -> Bool { (members[name] as? Bool) == true }

  /// A member that is an object.
  public func object(_ name: String) -> JSONObject? {
    (members[name] as? [String: Any]).map { JSONObject(members: $0) }
  }

  /// The objects of a member that is an array; other elements are left out.
  public func objects(_ name: String) -> [JSONObject] {
    (members[name] as? [Any] ?? []).compactMap { $0 as? [String: Any] }.map(Self.init(members:))
  }

  /// Returns the objects of a member that is an array of nothing else; nil for any other member.
  public func onlyObjects(_ name: String) -> [JSONObject]? {
    objects(name).count == (members[name] as? [Any])?.count ? objects(name) : nil
  }

  /// A member that is an array, as its strings; nil where it is none.
  public func strings(_ name: String) -> [String]? {
    (members[name] as? [Any])?.compactMap { $0 as? String }
  }

  /// The object as a JSON text with sorted keys.
  public var json: String {
    Self.text(members, [.sortedKeys, .withoutEscapingSlashes]) ?? "{}"
  }

  /// The object with other values for some of its members, and without one, as JSON text.
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
