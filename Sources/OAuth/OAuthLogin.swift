public import Core
import HTTP
import Keys

/// A login of a person at the authorization server of a resource: the code flow with PKCE, as MCP
/// 2026-07-28 defines it.
public struct OAuthLogin: Sendable {
  let access: OAuthAccess
  let identity: OAuthIdentity

  /// Creates the login.
  ///
  /// - Parameters:
  ///   - access: The access that the login opens.
  ///   - identity: The names by which the authorization server may know this client.
  public init(_ access: OAuthAccess, as identity: OAuthIdentity = OAuthIdentity()) {
    (self.access, self.identity) = (access, identity)
  }

  /// Logs a person in, and stores the tokens.
  ///
  /// The scopes are those of the challenge, else those of the resource's metadata, and those of the
  /// stored login.
  ///
  /// - Parameters:
  ///   - challenge: The fields `www-authenticate` of a refusal; nil to request one.
  ///   - browser: The person's browser.
  ///   - interruption: Ends the wait for the browser.
  /// - Throws: `PermissionDenied` if the resource or the authorization server breaks a rule, whose
  ///   `kind` says which, or if access is denied; `BadConfiguration` if there is no client id;
  ///   `NotFound` if there is no metadata; `AuthExpired` after five minutes; `Interrupted`; the
  ///   errors of sending and of the key store.
  public func login(
    challenge: String? = nil, with browser: OAuthBrowser, _ interruption: Interruption
  ) async throws(Failure) {
    let peer = try peer()
    let field: String? =
      if let challenge { challenge } else { try await peer.challenge() }
    let parsed = field.flatMap { BearerChallenge($0) }
    let resource = try await peer.resourceMetadata(parsed)
    let found = try await access.vault.login()
    let stored = found?.server == access.resource ? found : nil
    let issuer = resource.issuers.first { $0 == stored?.client.issuer } ?? resource.issuers[0]
    let server = try await peer.issuerMetadata(issuer)
    try check(stored, against: server)
    try await peer.judge(server.authorization)
    let scopes = scopes(parsed, for: resource, at: server, after: stored)
    let (client, listener) = try await client(
      at: server, peer, scopes: scopes.union(resource.scopes ?? Scopes()))
    let grant = Grant(
      server: server, client: client, resource: resource.resource, redirect: listener.redirect,
      scopes: scopes)
    do throws(Failure) {
      let code = try await code(
        for: grant, at: listener, with: browser, interruption)
      let answer = try await peer.tokens(grant.fields(code), as: client, at: server.token)
      try await store(answer, grant)
    } catch {
      // The server may have forgotten the client: the next login registers again.
      if error.kind == .invalidClient { try await access.vault.deleteRegistration(server.issuer) }
      throw error
    }
  }

  /// Revokes the tokens at the authorization server if it supports that (RFC 7009), and deletes
  /// them.
  ///
  /// - Returns: `true` if the server confirmed the revocation.
  /// - Throws: `NotFound` if there is no login; as `KeyStore.delete`.
  public func logout() async throws(Failure) -> Bool {
    let lock = try await access.vault.lock(access.resource)
    defer { withExtendedLifetime(lock) {} }
    // A login that cannot be read is deleted all the same.
    let login = try? await access.vault.login()
    let isRevoked = if let login { await revoke(login) } else { false }
    try await access.vault.delete(login)
    access.forget()
    return isRevoked
  }

  private func revoke(_ login: StoredLogin) async -> Bool {
    guard let url = login.revocationEndpoint.flatMap({ ServerURL($0) }),
      let server = ServerURL(login.server)
    else { return false }
    let peer = OAuthPeer(client: access.client, policy: access.policy, resource: server)
    do throws(Failure) {
      if let refresh = login.refresh {
        try await peer.revoke(refresh, "refresh_token", as: login.client, at: url)
      }
      try await peer.revoke(login.access, "access_token", as: login.client, at: url)
      return true
    } catch {
      access.vault.keys.report(.sentence("the tokens were not revoked: \(error.explanation)"))
      return false
    }
  }

  private func peer() throws(Failure) -> OAuthPeer {
    guard let peer = access.peer else {
      throw Failure(
        .badConfiguration,
        "'\(Failure.shownURL(access.resource))' is neither an https URL nor one of this machine: a "
          + "login there is not safe",
        kind: .insecureURL, url: Failure.shownURL(access.resource))
    }
    return peer
  }

  /// Refuses to show the configured client id to another issuer than before.
  private func check(
    _ stored: StoredLogin?, against server: IssuerMetadata
  ) throws(Failure) {
    guard let stored, let clientId = identity.clientId, stored.client.clientId == clientId,
      stored.client.issuer != server.issuer
    else { return }
    throw Failure(
      .permissionDenied,
      "'\(Failure.shownURL(access.resource))' moved from '\(Failure.shownURL(stored.client.issuer))'"
        + " to '\(Failure.shownURL(server.issuer))', which did not assign the 'client_id'",
      kind: .issuerChanged, url: Failure.shownURL(access.resource),
      nextStep: "log out, and set the 'client_id' of the new server")
  }

  private func scopes(
    _ challenge: BearerChallenge?, for resource: ResourceMetadata, at server: IssuerMetadata,
    after stored: StoredLogin?
  ) -> Scopes {
    var scopes = challenge?.scopes ?? resource.scopes ?? Scopes()
    if let stored { scopes = stored.scopes.union(stored.wanted).union(scopes) }
    // The scope alone would replace those that the server grants by default.
    guard !scopes.isEmpty, server.scopes?.has("offline_access") == true else { return scopes }
    return scopes.union(Scopes(["offline_access"]))
  }

  private func store(_ answer: TokenAnswer, _ grant: Grant) async throws(Failure) {
    let lock = try await access.vault.lock(access.resource)
    defer { withExtendedLifetime(lock) {} }
    var login = StoredLogin(
      server: access.resource, resource: grant.resource, access: answer.access,
      client: grant.client, tokenEndpoint: grant.server.token.description,
      revocationEndpoint: grant.server.revocation?.description, scopes: grant.scopes)
    login.take(answer)
    try await access.vault.store(login)
    access.forget()
  }
}
