import Core
import HTTP

extension OAuthPeer {
  /// Returns the metadata of the resource, from the address that the challenge names, else from
  /// the well-known addresses.
  ///
  /// - Throws: `NotFound` if there is none; as `ResourceMetadata`; as ``metadata(_:)``.
  func resourceMetadata(_ challenge: BearerChallenge?) async throws(Failure) -> ResourceMetadata {
    let named = challenge?.resourceMetadata
    for text in named.map({ [$0] }) ?? ResourceMetadata.addresses(of: resource) {
      guard let url = ServerURL(text) else {
        throw Failure(
          .permissionDenied,
          "'\(resource.shown)' names metadata that is neither at an https URL nor on this machine",
          kind: .insecureURL, url: resource.shown)
      }
      if let object = try await metadata(url) {
        return try ResourceMetadata(object, of: resource, from: url)
      }
    }
    throw Failure(
      .notFound, "'\(resource.shown)' does not say where to log in: it has no metadata of OAuth",
      url: resource.shown)
  }

  /// Returns the metadata of the authorization server with the given identifier.
  ///
  /// - Throws: `NotFound` if there is none; as `IssuerMetadata`; as ``metadata(_:)``.
  func issuerMetadata(_ issuer: String) async throws(Failure) -> IssuerMetadata {
    guard let url = ServerURL(issuer), url.query.isEmpty else {
      throw Failure(
        .permissionDenied,
        "'\(resource.shown)' names an authorization server that is neither at an https URL nor on this "
          + "machine",
        kind: .insecureURL, url: resource.shown)
    }
    for address in IssuerMetadata.addresses(of: url) {
      guard let well = ServerURL(address), let object = try await metadata(well) else { continue }
      return try IssuerMetadata(object, of: url)
    }
    let shown = Failure.shownURL(issuer)
    throw Failure(.notFound, "the authorization server '\(shown)' has no metadata", url: shown)
  }
}
