public import Core
public import HTTP
public import Keys
import Synchronization

/// The access to one protected resource: its stored tokens, which one process renews for all.
public struct OAuthAccess: Sendable {
  /// The name of the secret in the key store, such as `mcp-tracker`.
  public let keyName: String
  /// The resource, a URL (RFC 8707).
  public let resource: String
  /// Logs a person in, for the field `www-authenticate` of a refusal; nil if nobody can log in.
  ///
  /// It returns `false` if the person does not want to log in.
  public var logIn: (@Sendable (_ challenge: String?) async throws(Failure) -> Bool)?
  let vault: OAuthVault
  let client: HTTPClient
  let policy: AddressPolicy
  /// The login of the last request, since a lookup in the key store may start a program.
  private let known = KnownLogin()

  /// Creates the access.
  ///
  /// - Parameters:
  ///   - keyName: The name of the secret in the key store.
  ///   - resource: The URL of the resource.
  ///   - keys: The key store.
  ///   - directories: The directories, for the lock.
  ///   - client: The HTTP client.
  ///   - policy: The policy for addresses that the resource and its authorization server name.
  public init(
    keyName: String, resource: String, keys: KeyStore, directories: Directories,
    client: HTTPClient, policy: AddressPolicy = AddressPolicy()
  ) {
    (self.keyName, self.resource, self.client, self.policy) = (keyName, resource, client, policy)
    vault = OAuthVault(keys: keys, directories: directories, keyName: keyName)
  }

  /// Returns `true` if the given answer requires a login or further scopes: ``renewed`` then
  /// returns the field for one more request.
  public static func isChallenged(_ head: HTTPHead) -> Bool {
    guard head.status == 403 else { return head.status == 401 }
    let challenge = BearerChallenge.field(of: head).flatMap { BearerChallenge($0) }
    return challenge?.error == "insufficient_scope"
  }

  /// Returns the field `authorization` with the stored token; nil if there is none.
  ///
  /// - Throws: `StorageFailed` if the stored secret is malformed; as `KeyStore.find`.
  public func authorization() async throws(Failure) -> HTTPField? {
    if let login = known.login.withLock({ $0 }) { return login.field }
    return try await stored()?.field
  }

  /// Returns the field that replaces a refused one: with the token that another process stored
  /// meanwhile, with one renewed under the lock, or with that of a new login.
  ///
  /// - Parameters:
  ///   - refused: The refused field; nil if none was sent.
  ///   - challenge: The fields `www-authenticate` of the answer, joined by commas.
  /// - Returns: The new field.
  /// - Throws: `AuthExpired` if a login is required and nobody can log in: the next step names the
  ///   command; `PermissionDenied` of the kind `insufficientScope` if a login for the required
  ///   scopes was of no use; `Busy` if another process renews for too long; as ``logIn``.
  public func renewed(
    after refused: HTTPField?, challenge: String?
  ) async throws(Failure) -> HTTPField {
    let parsed = challenge.flatMap { BearerChallenge($0) }
    if let field = try await renewal(after: refused, parsed) { return field }
    guard let logIn, try await logIn(challenge), let field = try await stored()?.field else {
      throw loginRequired()
    }
    return field
  }

  /// Returns the field that is to be had without a person, or nil.
  private func renewal(
    after refused: HTTPField?, _ challenge: BearerChallenge?
  ) async throws(Failure) -> HTTPField? {
    let lock = try await vault.lock(resource)
    defer { withExtendedLifetime(lock) {} }
    guard var login = try await stored() else { return nil }
    guard login.field.value == refused?.value else { return login.field }
    if challenge?.error == "insufficient_scope" {
      let scopes = challenge?.scopes ?? Scopes()
      guard !scopes.isSubset(of: login.scopes) else { throw insufficient(scopes) }
      login.wanted = scopes
      try await vault.store(login)
      return nil
    }
    guard let refresh = login.refresh, let peer, let endpoint = ServerURL(login.tokenEndpoint),
      await isIssuer(login.client.issuer, peer, challenge)
    else { return nil }
    do throws(Failure) {
      login.take(
        try await peer.tokens(
          ["grant_type": "refresh_token", "refresh_token": refresh, "resource": login.resource],
          as: login.client, at: endpoint))
    } catch {
      guard [.invalidGrant, .invalidClient].contains(error.kind) else { throw error }
      // The token is never sent again, by any process.
      login.refresh = nil
      try await vault.store(login)
      return nil
    }
    try await vault.store(login)
    known.login.withLock { [login] in $0 = login }
    return login.field
  }

  /// Returns `false` if the resource now names other authorization servers than the given one,
  /// which must then see no token of the resource.
  private func isIssuer(
    _ issuer: String, _ peer: OAuthPeer, _ challenge: BearerChallenge?
  ) async -> Bool {
    // Metadata that cannot be read changes nothing: the endpoint is that of the login.
    guard let metadata = try? await peer.resourceMetadata(challenge) else { return true }
    return metadata.issuers.contains(issuer)
  }

  /// Returns the stored login, if it is one for this resource.
  private func stored() async throws(Failure) -> StoredLogin? {
    let found = try await vault.login()
    let own = found?.server == resource ? found : nil
    known.login.withLock { $0 = own }
    return own
  }

  /// The client of the servers that the resource names; nil if its URL is not secure.
  var peer: OAuthPeer? {
    ServerURL(resource).map { OAuthPeer(client: client, policy: policy, resource: $0) }
  }

  /// Forgets the login of the last request.
  func forget() { known.login.withLock { $0 = nil } }

  private func loginRequired() -> Failure {
    let name = keyName.hasPrefix("mcp-") ? "mcp:" + keyName.dropFirst(4) : keyName
    let (step, shown) = ("tool-call login \(name)", Failure.shownURL(resource))
    return Failure(
      .authExpired, "'\(shown)' requires a login", kind: .loginRequired, url: shown,
      nextStep: "run '\(step)'")
  }

  private func insufficient(_ scopes: Scopes) -> Failure {
    let shown = Failure.shownURL(resource)
    return Failure(
      .permissionDenied,
      "'\(shown)' requires the scopes '\(scopes.text)', which the login requested but did not get",
      kind: .insufficientScope, status: 403, url: shown)
  }
}

/// The login that this process remembers.
private final class KnownLogin: Sendable {
  let login = Mutex<StoredLogin?>(nil)
}
