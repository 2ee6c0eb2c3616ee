import Core

/// Puts bodies of answers together from records, which are JSON already.
enum HubJSON {
  /// A string as JSON.
  static func text(_ text: String) -> String {
    String(decoding: JSONString.literal(text), as: UTF8.self)
  }

  /// An array of records.
  ///
  /// - Throws: `BadInput` for one that cannot be written, which has a number that JSON has not.
  static func array(_ records: [any StreamRecord]) throws(Failure) -> String {
    var lines: [String] = []
    for record in records { lines.append(try record.json()) }
    return "[" + lines.joined(separator: ",") + "]"
  }

  /// An object of members that are JSON already, in the order of their names.
  static func object(_ members: [String: String?]) -> String {
    let present = members.compactMapValues(\.self).sorted { $0.key < $1.key }
    return "{" + present.map { text($0.key) + ":" + $0.value }.joined(separator: ",") + "}"
  }
}
