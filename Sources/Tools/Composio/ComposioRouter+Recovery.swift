import Core
import HTTP
import MCP

extension ComposioRouter {
  /// Sends the given request, and returns the body of its answer, an object.
  ///
  /// - Throws: The failure after all retries. For a call that may have arrived: `ToolFailed` of
  ///   kind `unknownOutcome`.
  func answer(_ request: ComposioRequest) async throws(Failure) -> JSONValue {
    var tries = 0
    while true {
      tries += 1
      let failure: Failure
      do throws(Failure) {
        return try await once(request)
      } catch {
        failure = error
      }
      guard let seconds = wait(after: failure, request.effect, tries: tries) else {
        throw request.effect == .calls && failure.mayHaveArrived ? failure.unknownOutcome : failure
      }
      guard (try? await pause(seconds)) != nil else {
        throw Failure(.interrupted, "the request was cancelled")
      }
    }
  }

  /// Returns the seconds to wait before the given failed request is sent again; nil if it must not
  /// be.
  ///
  /// | failure | requests in all | wait |
  /// | --- | --- | --- |
  /// | 429 | 5 | the server's wait, else 5, 10, 20, 40 s |
  /// | network, before anything was sent | 2 | 2 s |
  /// | network, of a request that changes nothing | 2 | 2 s |
  /// | everything else | 1 | |
  ///
  /// Fewer retries may be set, but not more.
  func wait(
    after failure: Failure, _ effect: ComposioRequest.Effect, tries: Int
  ) -> Double? {
    if let retries, tries > retries { return nil }
    switch failure.code {
    case .rateLimited: break
    case .networkUnavailable, .timeout:
      guard failure.status == nil, effect == .reads || !failure.mayHaveArrived else { return nil }
    default: return nil
    }
    return RetryPolicy().delay(after: failure, tries: tries, jitter: Double.random(in: 0...1))
  }

  private func once(_ request: ComposioRequest) async throws(Failure) -> JSONValue {
    let http = request.http(base, key: key)
    let response = try await client.collect(http)
    guard (200..<300).contains(response.head.status) else {
      throw Failure(composio: response, url: http.url)
    }
    guard let value = JSONValue(json: response.body), value.members != nil else {
      let url = Failure.shownURL(http.url)
      throw Failure(.invalidResponse, "'\(url)' did not answer with a JSON object", url: url)
    }
    return value
  }
}

extension Failure {
  /// The failures of requests of which nothing was sent.
  private static let unsent: Set<FailureKind> = [
    .connect, .connectTimeout, .resolve, .tls, .proxy, .badURL, .badHeader, .blockedAddress,
    .blockedScheme,
  ]

  /// `true` if the request may have been acted on: it may have been sent, and the answer, if any,
  /// does not refuse it.
  fileprivate var mayHaveArrived: Bool {
    if code == .interrupted || code == .overloaded { return false }
    if let status { return status >= 500 || status == 408 || (200..<300).contains(status) }
    return kind.map { !Self.unsent.contains($0) } ?? true
  }

  /// The failure of a call whose outcome is unknown because of this failure.
  var unknownOutcome: Failure {
    Failure(
      .toolFailed, "the outcome of the call is unknown: \(explanation)", kind: .unknownOutcome,
      status: status, url: url, cause: cause, nextStep: "check the service before calling again")
  }

  /// Creates the failure that an unsuccessful answer of Composio describes.
  init(composio response: HTTPResponse, url: String) {
    let error = JSONValue(json: response.body)?["error"]
    self.init(
      httpStatus: response.head.status, head: response.head, url: url,
      message: error?["message"]?.text ?? error?.text)
    switch (error?["slug"]?.text, error?["code"]) {
    case ("ToolRouterV2_NoActiveConnection", _), (_, .int(4302)),
      ("ActionExecute_ConnectedAccountNotFound", _):
      (code, kind) = (.authExpired, .notConnected)
    case ("ToolRouterV2_ToolNotFound", _), (_, .int(4301)):
      code = .notFound
    case ("ToolRouterV2_ToolkitNotAllowed", _), (_, .int(4324)):
      code = .permissionDenied
      nextStep = "add the toolkit to 'toolkits' under '[composio]'"
    case ("ToolRouterV2_SessionNotFound", _),
      _ where [404, 410].contains(status) && url.contains("/tool_router/session/"):
      (code, kind) = (.notFound, .sessionGone)
    case _ where code == .missingAPIKey:
      nextStep = "run 'key-store set composio'"
    default: break
    }
  }
}
