import Core
import Foundation
import HTTP

extension OAuthPeer {
  /// Registers this client as a native application (RFC 7591).
  ///
  /// - Parameters:
  ///   - server: The authorization server.
  ///   - url: Its registration endpoint.
  ///   - redirect: The address of redirects.
  ///   - port: The port of that address.
  ///   - scopes: The scopes that the client may request.
  /// - Returns: The registration.
  /// - Throws: `PermissionDenied` if the server refuses; `InvalidResponse`; as ``metadata(_:)``.
  func register(
    at server: IssuerMetadata, _ url: ServerURL, redirect: String, port: Int, scopes: Scopes
  ) async throws(Failure) -> ClientRegistration {
    let isPublic = server.authentications?.contains("none") ?? true
    let asked: ClientRegistration.Authentication =
      isPublic ? .none : ClientRegistration.authentication(server.authentications)
    var body: [String: JSONValue] = [
      "application_type": .string("native"), "client_name": .string(OAuthIdentity.name),
      "grant_types": .array([.string("authorization_code"), .string("refresh_token")]),
      "redirect_uris": .array([.string(redirect)]), "response_types": .array([.string("code")]),
      "token_endpoint_auth_method": .string(asked.rawValue),
    ]
    if !scopes.isEmpty { body["scope"] = .string(scopes.text) }
    guard let bytes = try? JSONEncoder().encode(body) else {
      throw Failure(.invalidResponse, "cannot register at '\(server.issuer)'", kind: .malformed)
    }
    let (head, object) = try await post(
      String(decoding: bytes, as: UTF8.self), "application/json", to: url)
    guard (200...201).contains(head.status), let object, !object.has("error") else {
      throw Self.refusal(head, object, from: url, "registered no client")
    }
    guard let clientId = object.string("client_id"), Self.isWord(clientId),
      object.string("client_secret").map(Self.isWord) ?? true
    else {
      throw Failure(
        .invalidResponse, "'\(url.shown)' issued no usable client id",
        kind: .malformed, url: url.shown)
    }
    var registration = ClientRegistration(issuer: server.issuer, clientId: clientId, port: port)
    registration.scopes = object.string("scope").map { Scopes(text: $0) }
    guard let secret = object.string("client_secret") else { return registration }
    registration.secret = secret
    registration.authentication =
      object.string("token_endpoint_auth_method").flatMap { .init(rawValue: $0) }
      ?? ClientRegistration.authentication(server.authentications)
    if let end = object.number("client_secret_expires_at"), end > 0, end < 1e11 {
      registration.expiresAt = Timestamp(milliseconds: Int64(end * 1000))
    }
    return registration
  }

  private static func isWord(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
