/// The names by which authorization servers may know this client before a login.
public struct OAuthIdentity: Sendable, Hashable {
  /// The name that people see on consent pages.
  static let name = "agentpipes"

  /// The client id that the operator of the authorization server assigned.
  ///
  /// Its secret, if it has one, is in the key store under `client-` and the name of the tokens.
  public var clientId: String?
  /// The URL of a document that describes this client, which servers use in place of a client id.
  public var metadataURL: String?

  /// Creates an identity; without values, the client registers itself.
  public init(clientId: String? = nil, metadataURL: String? = nil) {
    (self.clientId, self.metadataURL) = (clientId, metadataURL)
  }
}
