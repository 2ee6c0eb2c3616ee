import Foundation

/// A JSON object from the wire, read leniently: what is missing, null or of another type is nil.
///
/// It is made for one event and dropped, so that Foundation's untyped values travel no further.
struct WireObject {
  private let members: [String: Any]

  /// Reads a text; nil when it is not a JSON object.
  init?(_ text: String) {
    self.init(bytes: Array(text.utf8))
  }

  /// Reads bytes; nil when they are not a JSON object.
  init?(bytes: [UInt8]) {
    let value = try? JSONSerialization.jsonObject(with: Data(bytes))
    guard let members = value as? [String: Any] else { return nil }
    self.members = members
  }

  private init(_ members: [String: Any]) {
    self.members = members
  }

  /// Whether the object has no members.
  var isEmpty: Bool { members.isEmpty }

  /// Whether there is a member of this name that is not null.
  func has(_ name: String) -> Bool {
    members[name].map { !($0 is NSNull) } ?? false
  }

  /// A member that is a text.
  func text(_ name: String) -> String? { members[name] as? String }

  /// A member that is a text or a number, as text: some servers send numbers for codes.
  func word(_ name: String) -> String? { text(name) ?? integer(name).map(String.init) }

  /// A member that is an object.
  func object(_ name: String) -> WireObject? {
    (members[name] as? [String: Any]).map(WireObject.init)
  }

  /// The objects of a member that is an array; other elements are left out.
  func objects(_ name: String) -> [WireObject] {
    (members[name] as? [Any] ?? []).compactMap { ($0 as? [String: Any]).map(WireObject.init) }
  }

  /// A member that is a whole number within `Int`.
  func integer(_ name: String) -> Int? {
    guard let number = members[name] as? NSNumber else { return nil }
    return Int(exactly: number.doubleValue)
  }

  /// A member that counts something.
  func count(_ name: String) -> WireCount {
    guard has(name) else { return .absent }
    // JSONSerialization makes a number of `true`, too; its type tells it apart.
    guard let number = members[name] as? NSNumber, String(cString: number.objCType) != "c",
      let count = Int(exactly: number.doubleValue), (0...WireCount.largest).contains(count)
    else { return .impossible }
    return .number(count)
  }

  /// The object as a JSON text with sorted keys.
  var json: String {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? JSONSerialization.data(withJSONObject: members, options: options) else {
      return "{}"
    }
    return String(decoding: data, as: UTF8.self)
  }
}
