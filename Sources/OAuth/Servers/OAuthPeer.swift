import Core
import HTTP

/// A client of the servers that one resource names, whose addresses are judged.
struct OAuthPeer: Sendable {
  let client: HTTPClient
  /// The policy for addresses that are not the resource's.
  let policy: AddressPolicy
  /// The resource.
  let resource: ServerURL

  /// The longest answer that is read, in bytes.
  private static let longestAnswer = 256 << 10
  private static let timeouts = HTTPTimeouts(connect: 5, idle: 20, total: 20)

  /// Returns the field `www-authenticate` with which the resource answers a request without a
  /// token; nil if it asks for no login.
  ///
  /// - Throws: The errors of sending.
  func challenge() async throws(Failure) -> String? {
    var request = HTTPRequest(url: resource.shown, timeouts: Self.timeouts)
    request.fields = [HTTPField("accept", "application/json, text/event-stream")]
    do {
      // The answer may be an endless stream: only its head is read.
      for try await case .head(let head) in client.stream(request) {
        return head.status == 401 ? BearerChallenge.field(of: head) : nil
      }
    } catch {
      throw error as? Failure ?? Failure(.interrupted, "the request was cancelled")
    }
    return nil
  }

  /// Sends a GET request.
  ///
  /// - Returns: The JSON object of an answer with status 200; nil for any other answer.
  /// - Throws: `PermissionDenied` if the address is refused; the errors of sending.
  func metadata(_ url: ServerURL) async throws(Failure) -> JSONObject? {
    let fields = [HTTPField("accept", "application/json")]
    let answer = try await answer(
      HTTPRequest(url: url.description, fields: fields), to: url)
    return answer.head.status == 200 ? JSONObject(answer.body) : nil
  }

  /// Sends a POST request with the given body.
  ///
  /// - Returns: The status, and the JSON object of the answer; nil if it has none.
  /// - Throws: As ``metadata(_:)``.
  func post(
    _ body: String, _ contentType: String, to url: ServerURL, fields: [HTTPField] = []
  ) async throws(Failure) -> (head: HTTPHead, object: JSONObject?) {
    let own = [HTTPField("accept", "application/json"), HTTPField("content-type", contentType)]
    let answer = try await answer(
      HTTPRequest(
        url: url.description, method: "POST", fields: own + fields, body: Array(body.utf8)),
      to: url)
    return (answer.head, JSONObject(answer.body))
  }

  /// Judges the addresses of a URL that another program requests.
  ///
  /// - Throws: `PermissionDenied` of the kind `blockedAddress`; `NetworkUnavailable` if the host
  ///   has no address.
  func judge(_ url: ServerURL) async throws(Failure) {
    let policy = policy(for: url)
    for address in try await HostAddresses.find(url.host, port: url.port) {
      if let reason = policy.refusal(address) { throw refusal(url, reason) }
    }
  }

  /// Returns the given request's answer; redirects are not followed.
  private func answer(
    _ request: HTTPRequest, to url: ServerURL
  ) async throws(Failure) -> HTTPResponse {
    var request = request
    (request.timeouts, request.maximumBodyBytes) = (Self.timeouts, Self.longestAnswer)
    request.addressGuard = policy(for: url).guard
    if HTTPProxy.isUsed(for: request.url) {
      try await judge(url)
      request.isTargetJudged = true
    }
    do {
      return try await client.collect(request)
    } catch {
      guard error.kind == .blockedAddress else { throw error }
      throw refusal(url, error.explanation)
    }
  }

  /// Returns the policy for the given URL: the resource may name its own host and, if it is itself
  /// at an address that is not public, other such addresses.
  private func policy(for url: ServerURL) -> AddressPolicy {
    var policy = policy
    if resource.isPrivate || url.host == resource.host { policy.allowPrivate = true }
    return policy
  }

  private func refusal(_ url: ServerURL, _ reason: String) -> Failure {
    Failure(
      .permissionDenied,
      "'\(resource.shown)' names '\(url.shown)' for the login, which is refused: \(reason)",
      kind: .blockedAddress, url: url.shown)
  }
}
