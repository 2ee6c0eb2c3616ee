import Core
import Foundation

/// A JSON text that a request is put together from: what came as JSON goes out as it came.
struct WireText: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral
{
  /// The JSON.
  let json: String

  /// Takes a text that is JSON already.
  init(json: String) { self.json = json }

  init(stringLiteral value: String) { self.init(value) }
  init(booleanLiteral value: Bool) { self.init(json: value ? "true" : "false") }
  init(integerLiteral value: Int) { self.init(json: "\(value)") }
  init(arrayLiteral elements: WireText...) { self.init(elements) }

  /// A string.
  init(_ text: String) {
    let literal = try? JSONEncoder.plain.encode(text)
    self.init(json: literal.map { String(decoding: $0, as: UTF8.self) } ?? "\"\"")
  }

  /// A whole number.
  init(_ number: Int) { self.init(json: "\(number)") }

  /// A list.
  init(_ elements: [WireText]) {
    self.init(json: "[" + elements.map(\.json).joined(separator: ",") + "]")
  }

  /// An object, sorted by its members' names; those that are nil are left out.
  init(_ members: [String: WireText?]) {
    let texts = members.compactMap { name, value in value.map { (name, $0.json) } }
      .sorted { $0.0 < $1.0 }
      .map { WireText($0.0).json + ":" + $0.1 }
    self.init(json: "{" + texts.joined(separator: ",") + "}")
  }

  /// A number.
  ///
  /// - Throws: `BadInput` for one that JSON has no form for.
  init(temperature: Double) throws(Failure) {
    guard temperature.isFinite, let text = try? JSONEncoder.plain.encode(temperature) else {
      throw Failure(.badInput, "the request has a temperature that is not a number")
    }
    self.init(json: String(decoding: text, as: UTF8.self))
  }

  /// The text as a request's body.
  var bytes: [UInt8] { Array(json.utf8) }
}

extension JSONEncoder {
  fileprivate static let plain: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return encoder
  }()
}

extension RequestFile {
  /// The bytes in base64.
  var base64: String { Data(content).base64EncodedString() }

  /// The file as a URL that holds it (RFC 2397).
  var dataURL: String { "data:\(contentType);base64,\(base64)" }
}

/// A base URL and a path, with one slash between them; the base's query stays behind the path.
func joined(_ base: String, _ path: String) -> String {
  let parts = base.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
  var end = parts[0]
  while end.last == "/" { end.removeLast() }
  return end + path + (parts.count > 1 ? "?" + parts[1] : "")
}
