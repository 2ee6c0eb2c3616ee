import Core

/// The words that requests over HTTP have too.
extension FailureKind {
  /// A header field that must not be sent.
  static let badHeader = Self(rawValue: "badHeader")
  /// Text that is no URL, or a URL that must not be asked.
  static let badURL = Self(rawValue: "badURL")
  /// The connection took too long.
  static let connectTimeout = Self(rawValue: "connectTimeout")
  /// What answered does not speak WebSocket.
  static let `protocol` = Self(rawValue: "protocol")
  /// The connection was lost.
  static let reset = Self(rawValue: "reset")
  /// The name of the host has no address.
  static let resolve = Self(rawValue: "resolve")
  /// No trusted connection came about.
  static let tls = Self(rawValue: "tls")
}
