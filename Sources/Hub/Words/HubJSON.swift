import Core

/// Puts bodies of answers together from records, which are JSON already.
enum HubJSON {
  /// A string as JSON.
  static func text(_ text: String) -> String {
    String(decoding: JSONString.literal(text), as: UTF8.self)
  }

  /// An array of what is JSON already.
  static func array(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }

  /// An object of members that are JSON already, in the order of their names.
  static func object(_ members: [String: String?]) -> String {
    let present = members.compactMapValues(\.self).sorted { $0.key < $1.key }
    return "{" + present.map { text($0.key) + ":" + $0.value }.joined(separator: ",") + "}"
  }
}
