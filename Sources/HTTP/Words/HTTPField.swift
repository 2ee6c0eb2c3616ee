import Core

/// One header field of a request or a response, by RFC 9110 section 5.
public struct HTTPField: Sendable, Hashable {
  /// The field's name; its case carries no meaning.
  public var name: String
  /// The field's value, without surrounding white space.
  public var value: String

  /// Creates a field; names and values are checked when a request is sent.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether the field has this name, in any case of ASCII letters.
  public func isNamed(_ other: String) -> Bool {
    name.utf8.count == other.utf8.count
      && zip(name.utf8, other.utf8).allSatisfy { $0.lowercased == $1.lowercased }
  }
}
