import Core
import Foundation

/// A JSON text from which a request is assembled.
///
/// JSON that it is created from is sent unchanged.
struct WireText: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral
{
  /// The JSON text.
  let json: String

  /// Creates a text from existing JSON.
  init(json: String) { self.json = json }

  init(stringLiteral value: String) { self.init(value) }
  init(booleanLiteral value: Bool) { self.init(json: value ? "true" : "false") }
  init(integerLiteral value: Int) { self.init(json: "\(value)") }
  init(arrayLiteral elements: WireText...) { self.init(elements) }

  /// Creates a JSON string.
  init(_ text: String) {
    let literal = try? JSONEncoder.plain.encode(text)
    self.init(json: literal.map { String(decoding: $0, as: UTF8.self) } ?? "\"\"")
  }

  /// Creates a JSON number.
  init(_ number: Int) { self.init(json: "\(number)") }

  /// Creates a JSON array.
  init(_ elements: [WireText]) {
    self.init(json: "[" + elements.map(\.json).joined(separator: ",") + "]")
  }

  /// Creates a JSON object with its members sorted by name.
  ///
  /// Members that are nil are left out.
  init(_ members: [String: WireText?]) {
    let texts = members.compactMap { name, value in value.map { (name, $0.json) } }
      .sorted { $0.0 < $1.0 }
      .map { WireText($0.0).json + ":" + $0.1 }
    self.init(json: "{" + texts.joined(separator: ",") + "}")
  }

  /// Creates a JSON number from the given temperature.
  ///
  /// - Throws: `BadInput` if the temperature is infinite or not a number.
  init(temperature: Double) throws(Failure) {
    guard temperature.isFinite, let text = try? JSONEncoder.plain.encode(temperature) else {
      throw Failure(.badInput, "the request has a temperature that is not a number")
    }
    self.init(json: String(decoding: text, as: UTF8.self))
  }

  /// The JSON text as the body of a request.
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
  /// The content in base64.
  var base64: String { Data(content).base64EncodedString() }

  /// The file as a data URL (RFC 2397).
  var dataURL: String { "data:\(contentType);base64,\(base64)" }
}

/// Returns `base` and `path`, joined by one slash.
///
/// If `base` ends with a query, the path is inserted before it.
func joined(_ base: String, _ path: String) -> String {
  let parts = base.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
  var end = parts[0]
  while end.last == "/" { end.removeLast() }
  return end + path + (parts.count > 1 ? "?" + parts[1] : "")
}
