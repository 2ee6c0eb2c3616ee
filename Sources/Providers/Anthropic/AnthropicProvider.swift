public import Core
public import HTTP

/// Anthropic's Messages API, or a compatible server.
///
/// `POST {base}/v1/messages`, streamed. The field `retry-after` of a response with status 200 is
/// ignored.
public struct AnthropicProvider: Provider {
  /// The base URL if neither `ANTHROPIC_BASE_URL` nor the configuration names one.
  public static let defaultBase = "https://api.anthropic.com"
  private static let version = "2023-06-01"

  private let url: String
  private let key: String?
  private let timeouts: HTTPTimeouts
  private let client: HTTPClient
  private let trace: (@Sendable (String) -> Void)?

  /// Creates the provider.
  ///
  /// - Parameters:
  ///   - base: The base URL, without `/v1`.
  ///   - key: The API key; nil for a server that requires none.
  ///   - timeouts: The time limits of one request.
  ///   - client: The client that sends the requests.
  ///   - trace: Receives the traffic, one line at a time.
  public init(
    base: String, key: String?, timeouts: HTTPTimeouts, client: HTTPClient,
    trace: (@Sendable (String) -> Void)? = nil
  ) {
    self.trace = trace
    url = joined(base, "/v1/messages")
    self.key = key
    self.timeouts = timeouts
    self.client = client
    if let key { Secrets.register(key) }
  }

  /// The header fields of each request: the version of the API and the key.
  var fields: [HTTPField] {
    [HTTPField("anthropic-version", Self.version)]
      + (key.map { [HTTPField("x-api-key", $0)] } ?? [])
  }

  /// Sends a request and delivers the answer's pieces.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - model: The server's name for the model.
  ///   - receive: Receives each piece; an error that it throws ends the request.
  /// - Throws: As ``Provider/send(_:model:receive:)``.
  public func send(
    _ request: ModelRequest, model: String,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    let body = try AnthropicBody(request: request, model: model).text()
    let fields = [
      HTTPField("content-type", "application/json"), HTTPField("accept", "text/event-stream"),
    ]
    let transfer = EventStreamTransfer(
      client: client,
      request: HTTPRequest(
        url: url, method: "POST", fields: fields + self.fields, body: body.bytes, timeouts: timeouts
      ),
      trace: trace)
    try await transfer.run(AnthropicStream(source: Failure.shownURL(url)), receive: receive)
  }
}
