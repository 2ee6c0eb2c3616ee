import Core
import HTTP

extension OAuthLogin {
  /// Returns the client for the given server, and the listener for its redirect.
  ///
  /// The client id is that of the configuration, else the URL of a document if the server accepts
  /// one, else that of a registration, stored or new.
  ///
  /// - Throws: `BadConfiguration` if the server accepts none of them; `StorageFailed` if no port
  ///   can be opened; as `OAuthPeer.register`.
  func client(
    at server: IssuerMetadata, _ peer: OAuthPeer, scopes: Scopes
  ) async throws(Failure) -> (ClientRegistration, RedirectListener) {
    let vault = access.vault
    if let clientId = identity.clientId {
      var client = ClientRegistration(issuer: server.issuer, clientId: clientId)
      client.secret = try await vault.clientSecret()
      if client.secret != nil {
        client.authentication = ClientRegistration.authentication(server.authentications)
      }
      return (client, try RedirectListener())
    }
    if let url = identity.metadataURL, server.acceptsMetadataURL {
      return (ClientRegistration(issuer: server.issuer, clientId: url), try RedirectListener())
    }
    if let client = try await vault.registration(server.issuer), let port = client.port,
      client.scopes.map({ scopes.isSubset(of: $0) }) ?? true,
      let listener = try? RedirectListener(port: port)
    {
      return (client, listener)
    }
    guard let url = server.registration else {
      throw Failure(
        .badConfiguration,
        "'\(Failure.shownURL(server.issuer))' registers no clients",
        url: Failure.shownURL(server.issuer), input: "client_id",
        nextStep: "set 'client_id' to the id that its operator assigned")
    }
    let listener = try RedirectListener()
    let client = try await peer.register(
      at: server, url, redirect: listener.redirect, port: listener.port, scopes: scopes)
    try await vault.store(client)
    return (client, listener)
  }
}
