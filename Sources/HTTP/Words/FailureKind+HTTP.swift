public import Core

extension FailureKind {
  /// The kind of a failure about a header field that must not be sent.
  public static let badHeader = Self(rawValue: "badHeader")
  /// The kind of a failure about a URL that is invalid or must not be requested.
  public static let badURL = Self(rawValue: "badURL")
  /// The kind of a failure about an address that must not be connected to.
  public static let blockedAddress = Self(rawValue: "blockedAddress")
  /// The kind of a failure about a URL whose scheme is neither http nor https.
  public static let blockedScheme = Self(rawValue: "blockedScheme")
  /// The kind of a failure to connect within the time limit.
  public static let connectTimeout = Self(rawValue: "connectTimeout")
  /// The kind of a failure about a body with an invalid content coding.
  public static let decode = Self(rawValue: "decode")
  /// The kind of a failure about a peer that was silent for too long.
  public static let idleTimeout = Self(rawValue: "idleTimeout")
  /// The kind of a failure about a response that is not HTTP.
  public static let `protocol` = Self(rawValue: "protocol")
  /// The kind of a failure about a proxy that cannot be used.
  public static let proxy = Self(rawValue: "proxy")
  /// The kind of a failure about a connection that was lost.
  public static let reset = Self(rawValue: "reset")
  /// The kind of a failure about a host name that has no address.
  public static let resolve = Self(rawValue: "resolve")
  /// The kind of a failure about a body that is shorter than its declared length.
  public static let shortBody = Self(rawValue: "shortBody")
  /// The kind of a failure to establish or verify a TLS connection.
  public static let tls = Self(rawValue: "tls")
  /// The kind of a failure about a request that exceeded its total time limit.
  public static let totalTimeout = Self(rawValue: "totalTimeout")
}

extension Failure {
  /// Creates the failure that reports a request to an address that a guard refused.
  ///
  /// - Parameters:
  ///   - url: The URL of the request.
  ///   - reason: The guard's reason, which may end with `; ` and a next step.
  public init(blocked url: String, because reason: String) {
    let parts = reason.split(separator: "; ", maxSplits: 1).map(String.init)
    self.init(
      .pageRefused, "'\(Self.shownURL(url))' is not fetched: \(parts.first ?? reason)",
      kind: .blockedAddress, url: url, nextStep: parts.dropFirst().first)
  }
}
