import Catalogue
import Core
import Foundation

public import HTTP

/// A server that offers OpenAI's APIs.
public struct OpenAIEndpoint: Sendable {
  /// The base URL.
  ///
  /// It includes `/v1` if the server uses that path. It may end with a query.
  public var base: String
  /// The header fields of each request, including the key.
  public var fields: [HTTPField]
  /// The operator of a server.
  ///
  /// Requests depend on it.
  enum Host: Sendable, Hashable {
    /// OpenAI.
    case openAI
    /// Azure.
    ///
    /// Its dated APIs have a version, and the URL's path names the model.
    case azure(version: String?)
    /// GitHub Models.
    case gitHub
    /// Any other operator.
    case other
  }

  /// The operator of the server.
  var host: Host
  /// The token's expiry and renewal; nil if the token does not expire.
  var token: RenewableToken?

  /// The receiver of the traffic, one line at a time.
  public var trace: (@Sendable (String) -> Void)?

  private let timeouts: HTTPTimeouts
  private let client: HTTPClient

  /// Creates a description of a server.
  ///
  /// - Parameters:
  ///   - base: The base URL.
  ///   - key: The bearer token; nil for a server that requires none.
  ///   - fields: The other header fields of each request.
  ///   - timeouts: The time limits of one request.
  ///   - client: The client that sends the requests.
  public init(
    base: String, key: String?, fields: [HTTPField] = [], timeouts: HTTPTimeouts,
    client: HTTPClient
  ) {
    self.base = base
    self.fields = fields
    let isOpenAI = URLComponents(string: base)?.host?.lowercased() == "api.openai.com"
    host = isOpenAI ? .openAI : .other
    self.timeouts = timeouts
    self.client = client
    if let key {
      Secrets.register(key)
      self.fields.append(HTTPField("authorization", "Bearer \(key)"))
    }
  }

  /// Sends a request to `path`, and delivers the events of the streamed answer.
  func send(
    _ path: String, model: String, _ body: WireText,
    reading stream: (_ source: String) -> some AnswerStream,
    receive: @Sendable (ModelEvent) throws(Failure) -> Void
  ) async throws(Failure) {
    let request = request(path, model: model, body)
    let transfer = EventStreamTransfer(client: client, request: request, trace: trace)
    do throws(Failure) {
      try await transfer.run(stream(Failure.shownURL(request.url)), receive: receive)
    } catch {
      throw judged(error)
    }
  }

  /// Returns the failure that corresponds to an unsuccessful status.
  func failure(_ error: ProviderError, _ head: HTTPHead, url: String) -> Failure {
    judged(error.failure(status: head.status, head: head, url: url))
  }

  /// Returns the given failure, changed if an expired token or an ended service caused it.
  private func judged(_ failure: Failure) -> Failure {
    if host == .gitHub, failure.status == 410,
      let service = Catalogue.builtIn.endedService("github")
    {
      var gone = failure
      gone.kind = .retired
      gone.explanation += ": \(service.title) was shut down on \(service.ended)"
      return gone
    }
    guard failure.code == .missingAPIKey, let token else { return failure }
    return token.failure(failure)
  }

  /// Returns a request to `path` with the given body.
  func request(
    _ path: String, model: String, _ body: WireText, accept: String = "text/event-stream"
  ) -> HTTPRequest {
    let own = [HTTPField("content-type", "application/json"), HTTPField("accept", accept)]
      .filter { field in !fields.contains { $0.name == field.name } }
    return HTTPRequest(
      url: url(path, model: model), method: "POST", fields: own + fields, body: body.bytes,
      timeouts: timeouts)
  }

  /// Sends the given request and collects the whole response.
  func collect(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    try await client.collect(request)
  }

  /// Returns a GET request for the given URL, such as the URL of the list of models.
  func question(_ url: String) -> HTTPRequest {
    HTTPRequest(url: url, fields: fields, timeouts: timeouts)
  }

  private func url(_ path: String, model: String) -> String {
    // Azure has the deployment in the path of its dated APIs, but not in that of Responses.
    guard case .azure(version: _?) = host, path != "/responses" else { return joined(base, path) }
    return joined(base, "/deployments/\(model.percentEncoded)\(path)")
  }
}
