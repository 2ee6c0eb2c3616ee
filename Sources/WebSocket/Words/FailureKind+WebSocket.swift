import Core

/// Kinds of failures that HTTP requests also have.
extension FailureKind {
  /// A header field must not be sent.
  static let badHeader = Self(rawValue: "badHeader")
  /// The text is not a URL, or the URL must not be contacted.
  static let badURL = Self(rawValue: "badURL")
  /// The connection took too long.
  static let connectTimeout = Self(rawValue: "connectTimeout")
  /// The server does not speak WebSocket.
  static let `protocol` = Self(rawValue: "protocol")
  /// The connection was lost.
  static let reset = Self(rawValue: "reset")
  /// The host name has no address.
  static let resolve = Self(rawValue: "resolve")
  /// A trusted connection could not be established.
  static let tls = Self(rawValue: "tls")
}
