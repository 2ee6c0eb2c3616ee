public import Core

/// A request body, an answer, a report or a frame of a hub's API, with the names of its members.
///
/// A peer of another version may send members that this one does not know: they are ignored. A member
/// that may be absent is an optional, and is absent if it is nil, unless its comment says `null`.
public protocol HubWord: Codable, Sendable, Hashable {}

extension HubWord {
  /// Returns the JSON text: keys sorted by their bytes, `/` not escaped.
  ///
  /// - Throws: `BadInput` for a number that JSON has not.
  public func json() throws(Failure) -> String {
    do {
      return String(decoding: try RecordJSON.line(of: self), as: UTF8.self)
    } catch {
      throw Failure(.badInput, "cannot encode the message as JSON")
    }
  }

  /// Returns the bytes of the JSON text.
  ///
  /// - Throws: As ``json()``.
  public func body() throws(Failure) -> [UInt8] { Array(try json().utf8) }

  /// Returns a record with these members behind its own.
  ///
  /// - Throws: As ``json()``.
  public func added(to record: String) throws(Failure) -> String {
    let own = try json().dropFirst()
    return own == "}" ? record : record.dropLast() + (record == "{}" ? "" : ",") + own
  }

  /// Decodes a body or a frame; records in it keep their texts.
  ///
  /// - Throws: `DecodingError`.
  public init(json: [UInt8]) throws { self = try RecordJSON.decode(Self.self, from: json) }
}
