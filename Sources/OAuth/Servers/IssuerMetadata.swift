import Core
import HTTP

/// The metadata of an authorization server (RFC 8414, section 2).
struct IssuerMetadata: Sendable {
  /// The issuer's identifier, byte by byte as the resource named it.
  let issuer: String
  let authorization: ServerURL
  let token: ServerURL
  let registration: ServerURL?
  let revocation: ServerURL?
  /// The scopes that the server names; nil if it names none.
  let scopes: Scopes?
  /// The ways in which clients authenticate at the token endpoint; nil if it names none.
  let authentications: [String]?
  /// `true` if redirects name the issuer (RFC 9207).
  let namesIssuer: Bool
  /// `true` if the URL of a document may be the client id.
  let acceptsMetadataURL: Bool

  /// Reads the given metadata.
  ///
  /// - Throws: `PermissionDenied` of the kind `issuerMismatch` if it is another issuer's, of the
  ///   kind `withoutProofKey` if the server does not name the method S256, of the kind
  ///   `insecureURL` if an endpoint is neither https nor on this machine.
  init(_ object: JSONObject, of issuer: ServerURL) throws(Failure) {
    guard object.string("issuer") == issuer.description else {
      throw Self.refusal(issuer, "its metadata names another issuer", .issuerMismatch)
    }
    guard object.strings("code_challenge_methods_supported")?.contains("S256") == true else {
      throw Self.refusal(
        issuer, "it does not support proof keys with the method S256", .withoutProofKey)
    }
    self.issuer = issuer.description
    authorization = try Self.endpoint("authorization_endpoint", object, issuer).required(issuer)
    token = try Self.endpoint("token_endpoint", object, issuer).required(issuer)
    registration = try Self.endpoint("registration_endpoint", object, issuer)
    revocation = try Self.endpoint("revocation_endpoint", object, issuer)
    scopes = object.strings("scopes_supported").map { Scopes($0) }
    authentications = object.strings("token_endpoint_auth_methods_supported")
    namesIssuer = object.isTrue("authorization_response_iss_parameter_supported")
    acceptsMetadataURL = object.isTrue("client_id_metadata_document_supported")
  }

  /// Returns the addresses of an issuer's metadata, in the order in which they are tried
  /// (RFC 8414, section 3.1; OpenID Connect Discovery, section 4).
  static func addresses(of issuer: ServerURL) -> [String] {
    let (origin, path) = (issuer.origin, issuer.path)
    let inserted = [
      "\(origin)/.well-known/oauth-authorization-server\(path)",
      "\(origin)/.well-known/openid-configuration\(path)",
    ]
    return inserted + (path.isEmpty ? [] : ["\(origin)\(path)/.well-known/openid-configuration"])
  }

  private static func endpoint(
    _ name: String, _ object: JSONObject, _ issuer: ServerURL
  ) throws(Failure) -> ServerURL? {
    guard let text = object.string(name) else { return nil }
    guard let url = ServerURL(text) else {
      throw refusal(
        issuer, "its '\(name)' is neither an https URL nor one of this machine", .insecureURL)
    }
    return url
  }

  static func refusal(_ issuer: ServerURL, _ reason: String, _ kind: FailureKind) -> Failure {
    let shown = issuer.shown
    return Failure(
      .permissionDenied, "the authorization server '\(shown)' is refused: \(reason)", kind: kind,
      url: shown)
  }
}

extension ServerURL? {
  /// Returns the endpoint.
  ///
  /// - Throws: `InvalidResponse` if it is missing.
  fileprivate func required(_ issuer: ServerURL) throws(Failure) -> ServerURL {
    guard let self else {
      let shown = issuer.shown
      throw Failure(
        .invalidResponse, "the metadata of '\(shown)' lacks an endpoint", kind: .malformed,
        url: shown)
    }
    return self
  }
}
