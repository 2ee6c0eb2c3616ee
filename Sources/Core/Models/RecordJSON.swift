import Foundation

/// A record inside a body, as the JSON text that it came as: members that this version does not know
/// stay, and so does the form of each number.
public struct RecordJSON: Codable, Sendable, Hashable {
  /// The JSON text of one value.
  public var json: String

  /// Takes a text that is JSON.
  public init(_ json: String) { self.json = json }

  /// Takes the text from the bytes that ``decode(_:from:)`` reads; from another decoder, a text of the
  /// same value.
  public init(from decoder: any Decoder) throws {
    let source = RecordSource.key.flatMap { decoder.userInfo[$0] as? RecordSource }
    if let text = source?.text(at: decoder.codingPath) {
      json = text
    } else {
      json = String(decoding: try LineEncoder.text(of: JSONValue(from: decoder)), as: UTF8.self)
    }
  }

  /// Writes the text as it is into a ``line(of:)``, and into another encoder the same value.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? LineEncoder {
      return encoder.writeSingle { $0 += json.utf8 }
    }
    try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)).encode(to: encoder)
  }

  /// Encodes a value that has records in it: keys sorted by their bytes, `/` not escaped.
  ///
  /// - Throws: `EncodingError` for a number that is not finite.
  public static func line(of value: some Encodable) throws -> [UInt8] {
    try LineEncoder.text(of: value)
  }

  /// Decodes an object that has records, or arrays of records, as its members.
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
