public import Core

extension FailureKind {
  /// A header field that must not be sent.
  public static let badHeader = Self(rawValue: "badHeader")
  /// Text that is no URL, or a URL that must not be asked.
  public static let badURL = Self(rawValue: "badURL")
  /// An address that must not be asked.
  public static let blockedAddress = Self(rawValue: "blockedAddress")
  /// A URL that is not of HTTP.
  public static let blockedScheme = Self(rawValue: "blockedScheme")
  /// The connection took too long.
  public static let connectTimeout = Self(rawValue: "connectTimeout")
  /// The content coding of a body is broken.
  public static let decode = Self(rawValue: "decode")
  /// Nothing came for too long.
  public static let idleTimeout = Self(rawValue: "idleTimeout")
  /// What answered does not speak HTTP.
  public static let `protocol` = Self(rawValue: "protocol")
  /// The proxy cannot be used.
  public static let proxy = Self(rawValue: "proxy")
  /// The connection was lost.
  public static let reset = Self(rawValue: "reset")
  /// The name of the host has no address.
  public static let resolve = Self(rawValue: "resolve")
  /// The body ended before its length.
  public static let shortBody = Self(rawValue: "shortBody")
  /// No trusted connection came about.
  public static let tls = Self(rawValue: "tls")
  /// The whole took too long.
  public static let totalTimeout = Self(rawValue: "totalTimeout")
}
