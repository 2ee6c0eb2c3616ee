import Catalogue
import Core
import Foundation

public import HTTP

/// A server of OpenAI's interfaces: where it is, what it wants to know, and what sends to it.
public struct OpenAIEndpoint: Sendable {
  /// The base URL, with `/v1` where the server has it; a query stays at the end.
  public var base: String
  /// What goes with each request, the key among it.
  public var fields: [HTTPField]
  /// Whose interface it is, as far as that decides what it takes.
  enum Host: Sendable, Hashable {
    /// OpenAI's own.
    case openAI
    /// Azure's; a version is that of its dated interface, which names the model in the path.
    case azure(version: String?)
    /// GitHub Models.
    case gitHub
    /// Any other.
    case other
  }

  /// Whose interface it is.
  var host: Host
  /// How to get another token, where it is asked with one that ends.
  var token: RenewableToken?

  /// Is told what goes over the wire, a line at a time.
  public var trace: (@Sendable (String) -> Void)?

  private let timeouts: HTTPTimeouts
  private let client: HTTPClient

  /// Describes a server.
  ///
  /// - Parameters:
  ///   - base: The base URL.
  ///   - key: What it is asked with as a bearer; nil for a server that needs none.
  ///   - fields: What else goes with each request.
  ///   - timeouts: The limits of one request.
  ///   - client: What sends it.
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

  /// Sends a streamed request to a path, and hands on what is read of its answer.
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

  /// What an unsuccessful status stands for.
  func failure(_ error: ProviderError, _ head: HTTPHead, url: String) -> Failure {
    judged(error.failure(status: head.status, head: head, url: url))
  }

  /// A failure, with what it means where the server was asked with a token that ends.
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

  /// A request to a path of the interface.
  func request(
    _ path: String, model: String, _ body: WireText, accept: String = "text/event-stream"
  ) -> HTTPRequest {
    let own = [HTTPField("content-type", "application/json"), HTTPField("accept", accept)]
      .filter { field in !fields.contains { $0.name == field.name } }
    return HTTPRequest(
      url: url(path, model: model), method: "POST", fields: own + fields, body: body.bytes,
      timeouts: timeouts)
  }

  /// Sends a request of ``request(_:model:_:accept:)`` and collects its whole answer.
  func collect(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    try await client.collect(request)
  }

  /// A question to a path that names no model, such as `/models`.
  func question(_ url: String) -> HTTPRequest {
    HTTPRequest(url: url, fields: fields, timeouts: timeouts)
  }

  private func url(_ path: String, model: String) -> String {
    // Responses are not among what Azure names the deployment in the path for.
    guard case .azure(version: _?) = host, path != "/responses" else { return joined(base, path) }
    return joined(base, "/deployments/\(model.percentEncoded)\(path)")
  }
}
