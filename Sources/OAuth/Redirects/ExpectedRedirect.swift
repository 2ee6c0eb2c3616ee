import Core

/// The redirect that a login waits for, and the check of what arrives.
public struct ExpectedRedirect: Sendable {
  /// The `state` that the redirect must carry.
  public let state: String
  /// The issuer that the redirect must name if it names one (RFC 9207); nil to read none.
  let issuer: String?
  /// `true` if the redirect must name the issuer.
  let requiresIssuer: Bool
  /// The name of the service that issues the code, for failures.
  let service: String
  /// The `input` of failures.
  let input: String

  /// Creates the expectation of a redirect with a new random `state`.
  ///
  /// - Parameters:
  ///   - service: The name of the service that issues the code, for failures.
  ///   - input: The `input` of failures.
  public init(from service: String, input: String) {
    self.init(from: service, input: input, issuer: nil, requiresIssuer: false)
  }

  init(from service: String, input: String, issuer: String?, requiresIssuer: Bool) {
    (self.service, self.input) = (service, input)
    (self.issuer, self.requiresIssuer) = (issuer, requiresIssuer)
    state = ProofKey.random()
  }

  /// Returns `true` if the given redirect belongs to this login.
  func isOwn(_ query: RedirectQuery) -> Bool { query["state"] == state }

  /// Returns the code of the given redirect.
  ///
  /// The issuer is compared byte by byte and before anything else is read (RFC 9207, section 2.4).
  ///
  /// - Throws: `PermissionDenied` of the kind `stateMismatch` or `issuerMismatch`, or if the user
  ///   denied access.
  func code(in query: RedirectQuery) throws(Failure) -> String {
    guard isOwn(query) else {
      throw Failure(
        .permissionDenied, "the redirect belongs to another login", kind: .stateMismatch,
        input: input)
    }
    if let issuer {
      let isNamed = query.has("iss")
      guard isNamed ? query["iss"] == issuer : !requiresIssuer else {
        throw Failure(
          .permissionDenied,
          "the redirect \(isNamed ? "names another issuer than" : "does not name") '\(service)'",
          kind: .issuerMismatch, input: input)
      }
    }
    guard let code = query["code"], !code.isEmpty else {
      let words = query["error_description"] ?? query["error"] ?? "no code was received"
      throw Failure(
        .permissionDenied,
        "\(service) issued no token: \(Visible.line(String(words.prefix(300))))", input: input)
    }
    Secrets.register(code)
    return code
  }
}
