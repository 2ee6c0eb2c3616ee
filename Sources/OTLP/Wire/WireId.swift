internal import Core

/// The id of a trace or of a span, which is hexadecimal in JSON.
struct WireId: WireValue, Equatable {
  var bytes: [UInt8] = []

  init() {}

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Creates the id from lower-case hexadecimal digits.
  ///
  /// Returns nil if the text has other characters or the wrong length, or if the id is invalid.
  init?(_ text: String, ofBytes count: Int) {
    guard let bytes = Self.bytes(text.utf8), bytes.count == count,
      bytes.contains(where: { $0 != 0 }), !text.utf8.contains(where: \.isCapital)
    else { return nil }
    self.bytes = bytes
  }

  /// The id as lower-case hexadecimal digits.
  var text: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the id as hexadecimal digits; nil if it is invalid.
  ///
  /// An id is invalid if it does not have `count` bytes, or if all bytes are zero (W3C Trace
  /// Context, section 3.2).
  func text(ofBytes count: Int) -> String? {
    bytes.count == count && bytes.contains { $0 != 0 } ? text : nil
  }

  /// Returns the bytes that the given hexadecimal digits represent; nil for other text.
  static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = digit.hexadecimalValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  static var format: WireFormat { .length }
  var isDefault: Bool { bytes.isEmpty }
  mutating func read(_ reader: inout WireReader) throws(WireFault) {
    bytes = Array(try reader.contents())
  }
  func write(to bytes: inout [UInt8]) {
    bytes.appendVarint(UInt64(self.bytes.count))
    bytes += self.bytes
  }
  /// Reads the id; text that is not hexadecimal becomes an invalid id of one byte.
  mutating func read(_ json: JSONValue, depth: Int) throws(WireFault) {
    guard case .string(let digits) = json else { throw .value }
    bytes = Self.bytes(digits.utf8) ?? [0]
  }
  func writeJSON(to bytes: inout [UInt8]) { text.writeJSON(to: &bytes) }
}
