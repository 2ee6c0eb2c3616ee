import Core
import HTTP

extension OAuthLogin {
  /// A request for access, until it is granted.
  struct Grant: Sendable {
    let server: IssuerMetadata
    let client: ClientRegistration
    let resource: String
    let redirect: String
    let scopes: Scopes
    let expected: ExpectedRedirect
    private let proof = ProofKey()

    init(
      server: IssuerMetadata, client: ClientRegistration, resource: String, redirect: String,
      scopes: Scopes
    ) {
      (self.server, self.client, self.resource) = (server, client, resource)
      (self.redirect, self.scopes) = (redirect, scopes)
      expected = ExpectedRedirect(
        from: "'\(Failure.shownURL(server.issuer))'", input: resource, issuer: server.issuer,
        requiresIssuer: server.namesIssuer)
    }

    /// The page on which the person grants access.
    var page: String {
      var form = OAuthForm([
        "client_id": client.clientId, "code_challenge": proof.challenge,
        "code_challenge_method": "S256", "redirect_uri": redirect, "resource": resource,
        "response_type": "code", "state": expected.state,
      ])
      if !scopes.isEmpty { form.fields["scope"] = scopes.text }
      let url = server.authorization
      return url.description + (url.query.isEmpty ? "?" : "&") + form.text
    }

    /// Returns the fields that exchange the given code for tokens.
    func fields(_ code: String) -> [String: String] {
      [
        "code": code, "code_verifier": proof.verifier, "grant_type": "authorization_code",
        "redirect_uri": redirect, "resource": resource,
      ]
    }
  }

  /// Waits until the person has granted access.
  ///
  /// - Returns: The code.
  /// - Throws: As `RedirectListener.code` and `ExpectedRedirect.code`; `AuthExpired` if the person
  ///   gives no address; `BadInput` if the address is malformed.
  func code(
    for grant: Grant, at listener: RedirectListener, with browser: OAuthBrowser,
    _ interruption: Interruption
  ) async throws(Failure) -> String {
    switch browser {
    case .local(let open):
      open(grant.page)
      return try await listener.code(for: grant.expected, interruption)
    case .elsewhere(let show, let read):
      show(grant.page)
      guard let address = try await read() else {
        throw Failure(.authExpired, "no address of a redirect was given", url: access.resource)
      }
      guard let query = RedirectQuery(address: address.filter { !$0.isWhitespace }) else {
        throw Failure(.badInput, "the address of the redirect is malformed", url: access.resource)
      }
      return try grant.expected.code(in: query)
    }
  }
}
