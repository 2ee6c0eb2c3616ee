import Core

/// The arguments of a tool's call, from the text that a person decides on.
///
/// Every character of a value is in one of the parts. A text that is not an object of JSON, as the
/// tools write it, has no arguments.
struct CallArguments {
  /// The words before the arguments.
  let question: String
  /// The name of each argument, and its value: the content of a string, or else JSON.
  private(set) var members: [(name: String, value: String)] = []
  /// The rest of a text that was cut, with the number of missing characters; empty if it is whole.
  private(set) var rest = ""

  /// The longest part of an escape that a cut leaves, such as `\u00a`.
  private static let longestEscape = 5
  private static let quote = UInt8(ascii: "\"")

  /// Reads the arguments in the given text, which may end with the number of missing characters; see
  /// `ApprovalGate.words(_:upTo:)`.
  init?(_ text: String) {
    let first = text.hasPrefix("{") ? text.startIndex : text.firstRange(of: "? {")?.upperBound
    guard let first else { return nil }
    let start = text.hasPrefix("{") ? first : text.index(before: first)
    question = String(text[..<start])
    let end = Self.endOfWhole(text[start...])
    let body = Array(text[start..<end].utf8)
    guard let left = read(body.dropFirst(), isCut: end < text.endIndex), !members.isEmpty else {
      return nil
    }
    rest = left + text[end...]
  }

  /// Returns the index at which the number of missing characters begins; the end if there is none.
  private static func endOfWhole(_ text: Substring) -> String.Index {
    let (before, after) = ("… and ", " more characters")
    guard text.hasSuffix(after), let mark = text.ranges(of: before).last,
      text[mark.upperBound...].dropLast(after.count).allSatisfy("0123456789".contains)
    else { return text.endIndex }
    return mark.lowerBound
  }

  /// Reads the members of an object behind its bracket, and returns what a cut left of the last one;
  /// nil if they are not JSON.
  private mutating func read(_ object: ArraySlice<UInt8>, isCut: Bool) -> String? {
    var left = object
    while true {
      guard let colon = Self.length(of: left), left.dropFirst(colon).first == UInt8(ascii: ":"),
        left.first == Self.quote, let name = Self.shown(left.prefix(colon))
      else { return isCut ? String(decoding: left, as: UTF8.self) : nil }
      left = left.dropFirst(colon + 1)
      guard let end = Self.length(of: left) else {
        guard isCut else { return nil }
        let (value, rest) = Self.cut(left)
        members.append((name, value))
        return rest
      }
      guard let value = Self.shown(left.prefix(end)) else { return nil }
      members.append((name, value))
      left = left.dropFirst(end)
      let mark = left.popFirst()
      guard mark == UInt8(ascii: ",") else {
        return mark == UInt8(ascii: "}") && left.isEmpty && !isCut ? "" : nil
      }
    }
  }

  /// Returns the number of bytes before the mark that ends the first value or name; nil if the text
  /// ends first.
  private static func length(of json: ArraySlice<UInt8>) -> Int? {
    var (depth, isText, isEscaped) = (0, false, false)
    for (length, byte) in json.enumerated() {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isText
      case quote: isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ",") where depth == 0, UInt8(ascii: ":") where depth == 0: return length
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { return length }
        depth -= 1
      default: break
      }
    }
    return nil
  }

  /// Returns the content of the given string, or any other JSON as it is; nil if it is not JSON.
  private static func shown(_ json: ArraySlice<UInt8>) -> String? {
    switch JSONText.value(Array(json)) {
    case .string(let text): text
    case nil: nil
    default: String(decoding: json, as: UTF8.self)
    }
  }

  /// Returns the content of the given value without its end, and the part of an escape behind it.
  private static func cut(_ json: ArraySlice<UInt8>) -> (value: String, rest: String) {
    if let whole = shown(json) { return (whole, "") }
    guard json.first == quote else { return (String(decoding: json, as: UTF8.self), "") }
    for count in 0...longestEscape {
      let (kept, rest) = (json.dropLast(count), json.suffix(count))
      if let text = shown(kept + [quote]) { return (text, String(decoding: rest, as: UTF8.self)) }
    }
    return (String(decoding: json, as: UTF8.self), "")
  }

  /// The arguments as a table.
  var html: HTML {
    let heading = { (name: String) in HTML(.th, [HTMLAttribute(.scope, "col")], HTML(text: name)) }
    let rows = members.map { name, value in
      HTML(
        .tr, [],
        HTML(.th, [HTMLAttribute(.scope, "row")], HTML(text: name)),
        HTML(
          .td, [],
          value.isEmpty && rest.isEmpty
            ? HTML(.span, [.class("faint")], "empty") : HTML(text: value)))
    }
    return HTML([
      HTML(.h2, [], "Arguments"),
      HTML(
        .div, [.class("table arguments")],
        HTML(
          .table, [], HTML(.thead, [], HTML(.tr, [], heading("name"), heading("value"))),
          HTML(.tbody, parts: rows))),
      rest.isEmpty ? HTML([]) : HTML(.p, [.class("warning")], HTML(text: rest)),
    ])
  }
}
