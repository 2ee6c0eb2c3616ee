import Core
import Foundation

/// Puts bodies of answers together from records, which are JSON already.
enum HubJSON {
  /// A string as JSON.
  static func text(_ text: String) -> String {
    String(decoding: JSONString.literal(text), as: UTF8.self)
  }

  /// A value that JSON can tell; `null` for one that it cannot.
  static func value(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  /// An array of what is JSON already.
  static func array(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }

  /// An object of members that are JSON already, in the order of their names.
  static func object(_ members: [String: String?]) -> String {
    let present = members.compactMapValues(\.self).sorted { $0.key < $1.key }
    return "{" + present.map { text($0.key) + ":" + $0.value }.joined(separator: ",") + "}"
  }
}
