public import Core

extension FailureKind {
  /// A client id that the authorization server does not know.
  static let invalidClient = Self(rawValue: "invalidClient")
  /// A refresh token or a code that the authorization server does not accept.
  static let invalidGrant = Self(rawValue: "invalidGrant")
  /// An answer that is not the JSON that OAuth defines.
  static let malformed = Self(rawValue: "malformed")

  /// A token without the scopes that a request requires.
  public static let insufficientScope = Self(rawValue: "insufficientScope")
  /// A URL without TLS, other than one of this machine.
  public static let insecureURL = Self(rawValue: "insecureURL")
  /// A resource that moved to another authorization server than the one of the login.
  public static let issuerChanged = Self(rawValue: "issuerChanged")
  /// Metadata or a redirect that names another issuer.
  public static let issuerMismatch = Self(rawValue: "issuerMismatch")
  /// A resource that no person has logged in to.
  public static let loginRequired = Self(rawValue: "loginRequired")
  /// Metadata that names another resource.
  public static let resourceMismatch = Self(rawValue: "resourceMismatch")
  /// A redirect with the `state` of another login.
  public static let stateMismatch = Self(rawValue: "stateMismatch")
  /// An authorization server without proof keys of the method S256.
  public static let withoutProofKey = Self(rawValue: "withoutProofKey")
}
