import Core

/// Kinds of failures that requests over HTTP have too.
extension FailureKind {
  /// A header field that must not be sent.
  static let badHeader = Self(rawValue: "badHeader")
  /// Text that is not a URL, or a URL that must not be contacted.
  static let badURL = Self(rawValue: "badURL")
  /// A connection that took too long.
  static let connectTimeout = Self(rawValue: "connectTimeout")
  /// A server that does not speak WebSocket.
  static let `protocol` = Self(rawValue: "protocol")
  /// A lost connection.
  static let reset = Self(rawValue: "reset")
  /// A host name without an address.
  static let resolve = Self(rawValue: "resolve")
  /// A failure to establish a trusted connection.
  static let tls = Self(rawValue: "tls")
}
