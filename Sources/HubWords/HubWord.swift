public import Core

/// A message of a hub's API: a request body, a response, a report or a frame.
///
/// Unknown members are ignored, because a peer of another version may send them. A member that may
/// be absent is an optional. An optional that is nil is not encoded, unless the member's comment
/// mentions `null`.
public protocol HubWord: Codable, Sendable, Hashable {}

extension HubWord {
  /// Returns the message as JSON text.
  ///
  /// Keys are sorted by their bytes, and `/` is not escaped.
  ///
  /// - Throws: `BadInput` if a number is not finite.
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

  /// Returns the given record with the members of this message appended.
  ///
  /// - Throws: As ``json()``.
  public func added(to record: String) throws(Failure) -> String {
    let own = try json().dropFirst()
    return own == "}" ? record : record.dropLast() + (record == "{}" ? "" : ",") + own
  }

  /// Decodes the given body or frame.
  ///
  /// Records inside it keep their original text.
  ///
  /// - Throws: `DecodingError` if the JSON does not have the form of this type.
  public init(json: [UInt8]) throws { self = try RecordJSON.decode(Self.self, from: json) }
}
