import Foundation

/// A record inside a body, as its original JSON text: unknown members and the form of each number
/// are preserved.
public struct RecordJSON: Codable, Sendable, Hashable {
  /// The JSON text of one value.
  public var json: String

  /// Creates the record from valid JSON text.
  public init(_ json: String) { self.json = json }

  /// Decodes the text from the bytes that ``decode(_:from:)`` reads; from another decoder, a text
  /// of the same value.
  public init(from decoder: any Decoder) throws {
    let source = RecordSource.key.flatMap { decoder.userInfo[$0] as? RecordSource }
    if let text = source?.text(at: decoder.codingPath) {
      json = text
    } else {
      json = String(decoding: try LineEncoder.text(of: JSONValue(from: decoder)), as: UTF8.self)
    }
  }

  /// Writes the text unchanged into a ``line(of:)``; into another encoder, an equal value.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? LineEncoder {
      return encoder.writeSingle { $0 += json.utf8 }
    }
    try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)).encode(to: encoder)
  }

  /// Encodes a value that contains records: keys sorted by their bytes, `/` not escaped.
  ///
  /// - Throws: `EncodingError` for a number that is not finite.
  public static func line(of value: some Encodable) throws -> [UInt8] {
    try LineEncoder.text(of: value)
  }

  /// Decodes an object with members that are records or arrays of records.
  ///
  /// - Throws: `DecodingError`.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws -> Value {
    let decoder = JSONDecoder()
    if let key = RecordSource.key { decoder.userInfo[key] = RecordSource(bytes) }
    return try decoder.decode(type, from: Data(bytes))
  }
}
