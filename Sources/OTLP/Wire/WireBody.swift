internal import Core
import Foundation
internal import SwiftProtobuf

/// The encoding of the protocol's messages as protobuf and as OTLP's JSON.
///
/// OTLP's JSON differs from protobuf's in two ways: the ids of traces and spans are hexadecimal,
/// and enums are numbers (opentelemetry-proto, docs/specification.md).
enum WireBody {
  /// Returns the message that the given bytes encode.
  ///
  /// - Throws: `BadInput` if the bytes are malformed.
  static func message<Read: SwiftProtobuf.Message>(
    _ type: Read.Type, of bytes: [UInt8], _ encoding: OTLPEncoding
  ) throws(Failure) -> Read {
    let bytes = encoding == .json ? try WireIds.changed(in: bytes, WireIds.base64) : bytes
    do {
      switch encoding {
      case .protobuf:
        var options = BinaryDecodingOptions()
        options.discardUnknownFields = true
        return try Read(serializedBytes: bytes, options: options)
      case .json:
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        return try Read(jsonUTF8Bytes: bytes, options: options)
      }
    } catch {
      throw Failure(.badInput, "cannot parse the body as \(encoding.rawValue): \(error)")
    }
  }

  /// Returns the given message in the given encoding.
  ///
  /// - Throws: `BadInput` if the message cannot be encoded.
  static func bytes(
    of message: some SwiftProtobuf.Message, _ encoding: OTLPEncoding
  ) throws(Failure) -> [UInt8] {
    let bytes: [UInt8]
    do {
      switch encoding {
      case .protobuf: bytes = try message.serializedBytes()
      case .json:
        var options = JSONEncodingOptions()
        options.alwaysPrintEnumsAsInts = true
        bytes = try message.jsonUTF8Bytes(options: options)
      }
    } catch {
      throw Failure(.badInput, "cannot write the message as \(encoding.rawValue): \(error)")
    }
    return encoding == .json ? try WireIds.changed(in: bytes, WireIds.hexadecimal) : bytes
  }
}

/// The ids in OTLP's JSON.
///
/// Protobuf's JSON would encode them in base64.
enum WireIds {
  /// The deepest nesting of a JSON text that is accepted, because the decoder's stack is limited.
  static let maximumDepth = 256

  private static let names: [[UInt8]] = ["traceId", "spanId", "parentSpanId"].map { Array($0.utf8) }

  /// Returns the given JSON text with its ids converted by `change`.
  ///
  /// Malformed text is not reported here. The decoder rejects it.
  ///
  /// - Parameters:
  ///   - json: The JSON text.
  ///   - change: A function that receives the contents of an id's string and returns the new
  ///     contents.
  /// - Returns: The changed text.
  /// - Throws: `BadInput` if the text is nested too deeply.
  static func changed(
    in json: [UInt8], _ change: (ArraySlice<UInt8>) -> [UInt8]
  ) throws(Failure) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count + json.count / 8)
    var copied = 0
    var at = 0
    var depth = 0
    while at < json.count {
      switch json[at] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        guard depth <= maximumDepth else {
          throw Failure(.badInput, "the body is nested too deeply")
        }
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        at += 1
      case UInt8(ascii: "\""):
        let name = string(json, &at)
        guard names.contains(where: name.elementsEqual), pass(":", json, &at), at < json.count,
          json[at] == UInt8(ascii: "\"")
        else { continue }
        let id = string(json, &at)
        result += json[copied..<id.startIndex]
        result += change(id)
        copied = id.endIndex
      default: at += 1
      }
    }
    result += json[copied...]
    return result
  }

  /// Skips the string at the index `at` and returns its contents.
  private static func string(_ json: [UInt8], _ at: inout Int) -> ArraySlice<UInt8> {
    let start = at + 1
    at = start
    while at < json.count {
      let byte = json[at]
      if byte == UInt8(ascii: "\"") {
        at += 1
        return json[start..<(at - 1)]
      }
      at += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    at = json.count
    return json[min(start, json.count)...]
  }

  /// Skips the given punctuation mark and the space around it; returns `false` if the mark is
  /// missing.
  private static func pass(_ mark: Unicode.Scalar, _ json: [UInt8], _ at: inout Int) -> Bool {
    func passSpace() {
      while at < json.count, [0x20, 0x09, 0x0A, 0x0D].contains(json[at]) { at += 1 }
    }
    passSpace()
    guard at < json.count, json[at] == UInt8(ascii: mark) else { return false }
    at += 1
    passSpace()
    return true
  }

  /// Converts hexadecimal digits to base64.
  ///
  /// Any other text becomes an id of one byte. Such an id is invalid.
  static func base64(_ digits: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = Self.bytes(digits) ?? [0]
    return Array(Data(bytes).base64EncodedString().utf8)
  }

  /// Converts base64 to lower-case hexadecimal digits.
  static func hexadecimal(_ base64: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = Data(base64Encoded: Data(base64)) ?? Data()
    return Array(text(bytes).utf8)
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

  /// Returns the given id as lower-case hexadecimal digits.
  static func text(_ id: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(id.count * 2)
    for byte in id { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the given id as hexadecimal digits; nil if it is invalid.
  ///
  /// An id is invalid if it does not have `count` bytes, or if all bytes are zero (W3C Trace
  /// Context, section 3.2).
  static func text(_ id: Data, ofBytes count: Int) -> String? {
    id.count == count && id.contains { $0 != 0 } ? text(id) : nil
  }

  /// Returns the bytes of the given id; nil if it is not `count` bytes in lower-case hexadecimal
  /// digits.
  static func data(_ id: String, ofBytes count: Int) -> Data? {
    guard let bytes = bytes(id.utf8), bytes.count == count, bytes.contains(where: { $0 != 0 }),
      !id.utf8.contains(where: \.isCapital)
    else { return nil }
    return Data(bytes)
  }
}
