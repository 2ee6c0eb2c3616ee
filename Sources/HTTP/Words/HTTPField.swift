import Core

/// A header field of a request or a response (RFC 9110, section 5).
public struct HTTPField: Sendable, Hashable {
  /// The name.
  ///
  /// Upper and lower case are equivalent.
  public var name: String
  /// The value, without surrounding white space.
  public var value: String

  /// Creates a field.
  ///
  /// The name and the value are checked when a request is sent.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Returns `true` if the field has the given name, ignoring ASCII case.
  public func isNamed(_ other: String) -> Bool {
    name.utf8.count == other.utf8.count
      && zip(name.utf8, other.utf8).allSatisfy { $0.lowercased == $1.lowercased }
  }
}
