import Core
import Foundation
import HTTP

extension OAuthPeer {
  /// Requests tokens.
  ///
  /// - Parameters:
  ///   - fields: The fields of the form, without those that name the client.
  ///   - client: The client.
  ///   - url: The token endpoint.
  /// - Returns: The tokens.
  /// - Throws: `AuthExpired` of the kind `invalidGrant` if the grant is not accepted;
  ///   `PermissionDenied` for other refusals, of the kind `invalidClient` if the client is not
  ///   known; `InvalidResponse`; as ``metadata(_:)``.
  func tokens(
    _ fields: [String: String], as client: ClientRegistration, at url: ServerURL
  ) async throws(Failure) -> TokenAnswer {
    let (head, object) = try await post(fields, as: client, to: url)
    guard head.status == 200, let object, !object.has("error") else {
      throw Self.refusal(head, object, from: url, "issued no token")
    }
    return try TokenAnswer(object, from: url)
  }

  /// Revokes the given token (RFC 7009).
  ///
  /// - Throws: As ``tokens(_:as:at:)``.
  func revoke(
    _ token: String, _ hint: String, as client: ClientRegistration, at url: ServerURL
  ) async throws(Failure) {
    let fields = ["token": token, "token_type_hint": hint]
    let (head, object) = try await post(fields, as: client, to: url)
    guard head.status == 200 else {
      throw Self.refusal(head, object, from: url, "did not revoke the token")
    }
  }

  private func post(
    _ fields: [String: String], as client: ClientRegistration, to url: ServerURL
  ) async throws(Failure) -> (head: HTTPHead, object: JSONObject?) {
    // The SDK of MCP for Python demands the client id also beside basic authentication.
    var form = OAuthForm(fields.merging(["client_id": client.clientId]) { $1 })
    var header: [HTTPField] = []
    switch client.authentication {
    case .basic:
      // RFC 6749, section 2.3.1: both parts are encoded first.
      let pair = "\(client.clientId.percentEncoded):\((client.secret ?? "").percentEncoded)"
      let basic = Data(pair.utf8).base64EncodedString()
      Secrets.register(basic)
      header.append(HTTPField("authorization", "Basic \(basic)"))
    case .post:
      form.fields["client_secret"] = client.secret
    case .none: break
    }
    return try await post(form.text, OAuthForm.contentType, to: url, fields: header)
  }

  /// Returns the failure that an answer without success reports.
  static func refusal(
    _ head: HTTPHead, _ object: JSONObject?, from url: ServerURL, _ outcome: String
  ) -> Failure {
    let status = head.status
    guard let word = object?.string("error") else {
      guard status < 500, ![200, 408, 429].contains(status) else {
        guard status != 200 else {
          return Failure(
            .invalidResponse,
            "'\(url.shown)' did not answer with a JSON object",
            kind: .malformed, url: url.shown)
        }
        return Failure(httpStatus: status, head: head, url: url.description, message: nil)
      }
      return Failure(
        .permissionDenied, "'\(url.shown)' \(outcome): status \(status)",
        status: status, url: url.shown)
    }
    let words = Visible.line(String((object?.string("error_description") ?? word).prefix(300)))
    let isGrant = word == "invalid_grant"
    let kind: FailureKind? =
      isGrant ? .invalidGrant : word == "invalid_client" ? .invalidClient : nil
    return Failure(
      isGrant ? .authExpired : .permissionDenied,
      "'\(url.shown)' \(outcome): \(words)", kind: kind, status: status,
      url: url.shown, cause: words)
  }
}
