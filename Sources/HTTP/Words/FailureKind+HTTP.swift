public import Core

extension FailureKind {
  /// A header field that must not be sent.
  public static let badHeader = Self(rawValue: "badHeader")
  /// An invalid URL, or one that must not be requested.
  public static let badURL = Self(rawValue: "badURL")
  /// An address that must not be connected to.
  public static let blockedAddress = Self(rawValue: "blockedAddress")
  /// A URL with a scheme other than http and https.
  public static let blockedScheme = Self(rawValue: "blockedScheme")
  /// A connection that took too long.
  public static let connectTimeout = Self(rawValue: "connectTimeout")
  /// A body with broken content coding.
  public static let decode = Self(rawValue: "decode")
  /// A peer that was silent for too long.
  public static let idleTimeout = Self(rawValue: "idleTimeout")
  /// An answer that is not HTTP.
  public static let `protocol` = Self(rawValue: "protocol")
  /// A proxy that cannot be used.
  public static let proxy = Self(rawValue: "proxy")
  /// A lost connection.
  public static let reset = Self(rawValue: "reset")
  /// A host name without an address.
  public static let resolve = Self(rawValue: "resolve")
  /// A body that ended before its length.
  public static let shortBody = Self(rawValue: "shortBody")
  /// A TLS connection that could not be established or verified.
  public static let tls = Self(rawValue: "tls")
  /// A request that took too long in total.
  public static let totalTimeout = Self(rawValue: "totalTimeout")
}
