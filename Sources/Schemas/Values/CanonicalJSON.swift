import Core

/// A text that is the same for all values that JSON Schema considers equal.
///
/// Names are sorted, numbers are compared by value, and strings by code points.
struct CanonicalJSON: Sendable, Hashable {
  let bytes: [UInt8]

  init(_ value: JSONValue) {
    var bytes: [UInt8] = []
    Self.write(value, to: &bytes)
    self.bytes = bytes
  }

  /// Appends the given value.
  ///
  /// Its nesting is already limited.
  private static func write(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let isTrue): bytes += (isTrue ? "true" : "false").utf8
    case .int, .double:
      bytes += (ExactNumber(value)?.description ?? "\(value)").utf8
    case .string(let text): write(text, to: &bytes)
    case .array(let items):
      bytes.append(UInt8(ascii: "["))
      for item in items {
        write(item, to: &bytes)
        bytes.append(UInt8(ascii: ","))
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (name, member) in members.inOrder {
        write(name, to: &bytes)
        write(member, to: &bytes)
        bytes.append(UInt8(ascii: ","))
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Appends the given text after its length.
  ///
  /// Its end is then unambiguous.
  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes += "\"\(text.utf8.count):".utf8
    bytes += text.utf8
  }
}
