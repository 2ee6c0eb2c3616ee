import Core
import HTTP

/// The metadata of a protected resource (RFC 9728, section 2).
struct ResourceMetadata: Sendable {
  private static let longestList = 16

  /// The resource's identifier, as the metadata writes it.
  let resource: String
  /// The issuers that grant access to the resource.
  let issuers: [String]
  /// The scopes that the resource names; nil if it names none.
  let scopes: Scopes?

  /// Reads the given metadata.
  ///
  /// The metadata may describe a resource that contains the given one only if it comes from that
  /// resource's own well-known address: else a part of a host could ask for tokens of the whole.
  ///
  /// - Parameters:
  ///   - object: The metadata.
  ///   - resource: The resource.
  ///   - url: The address of the metadata.
  /// - Throws: `PermissionDenied` of the kind `resourceMismatch` if it is another resource's;
  ///   `InvalidResponse` if it names no issuer.
  init(_ object: JSONObject, of resource: ServerURL, from url: ServerURL) throws(Failure) {
    guard let name = object.string("resource"), let named = ServerURL(name),
      named.covers(resource),
      resource.covers(named) || url.origin + url.path == Self.addresses(of: named)[0]
    else {
      throw Failure(
        .permissionDenied, "the metadata of '\(resource.shown)' describes another resource",
        kind: .resourceMismatch, url: resource.shown)
    }
    issuers = Array((object.strings("authorization_servers") ?? []).prefix(Self.longestList))
    guard !issuers.isEmpty else {
      throw Failure(
        .invalidResponse, "the metadata of '\(resource.shown)' names no authorization server",
        kind: .malformed, url: resource.shown)
    }
    self.resource = name
    scopes = object.strings("scopes_supported").map { Scopes($0) }
  }

  /// Returns the well-known addresses of a resource's metadata, in the order in which they are
  /// tried (RFC 9728, section 3.1).
  static func addresses(of resource: ServerURL) -> [String] {
    let root = resource.origin + "/.well-known/oauth-protected-resource"
    return resource.path.isEmpty ? [root] : [root + resource.path, root]
  }
}
