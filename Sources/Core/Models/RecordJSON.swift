import Foundation

/// A record inside a request or response body, kept as its original JSON text.
///
/// Unknown members and the form of each number are therefore preserved.
public struct RecordJSON: Codable, Sendable, Hashable {
  /// The record's JSON text.
  public var json: String

  /// Creates the record from valid JSON text.
  public init(_ json: String) { self.json = json }

  /// Decodes the record's text.
  ///
  /// Inside ``decode(_:from:)``, it is the original text. With any other decoder, it is text of an
  /// equal value.
  public init(from decoder: any Decoder) throws {
    let source = RecordSource.key.flatMap { decoder.userInfo[$0] as? RecordSource }
    if let text = source?.text(at: decoder.codingPath) {
      json = text
    } else {
      json = String(decoding: try LineEncoder.text(of: JSONValue(from: decoder)), as: UTF8.self)
    }
  }

  /// Encodes the record's text.
  ///
  /// Inside ``line(of:)``, the text is unchanged. With any other encoder, an equal value is
  /// encoded.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? LineEncoder {
      return encoder.writeSingle { $0 += json.utf8 }
    }
    try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)).encode(to: encoder)
  }

  /// Encodes the given value, which may contain records.
  ///
  /// Keys are sorted by their bytes, and `/` is not escaped.
  ///
  /// - Throws: `EncodingError` if a number is not finite.
  public static func line(of value: some Encodable) throws -> [UInt8] {
    try LineEncoder.text(of: value)
  }

  /// Decodes an object whose members may be records or arrays of records.
  ///
  /// - Throws: `DecodingError` if the bytes are not a value of the given type.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws -> Value {
    let decoder = JSONDecoder()
    if let key = RecordSource.key { decoder.userInfo[key] = RecordSource(bytes) }
    return try decoder.decode(type, from: Data(bytes))
  }
}
