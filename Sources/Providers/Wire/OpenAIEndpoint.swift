import Core
import Foundation

public import HTTP

/// A server of OpenAI's interfaces: where it is, what it wants to know, and what sends to it.
public struct OpenAIEndpoint: Sendable {
  /// The base URL, with `/v1` where the server has it; a query stays at the end.
  public var base: String
  /// What goes with each request, the key among it.
  public var fields: [HTTPField]
  /// Whether the model is named in the path, as Azure's dated interface has it.
  public var namesDeployment: Bool

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
  ///   - namesDeployment: Whether the model is named in the path.
  ///   - timeouts: The limits of one request.
  ///   - client: What sends it.
  public init(
    base: String, key: String?, fields: [HTTPField] = [], namesDeployment: Bool = false,
    timeouts: HTTPTimeouts, client: HTTPClient
  ) {
    self.base = base
    self.fields = fields
    self.namesDeployment = namesDeployment
    self.timeouts = timeouts
    self.client = client
    if let key {
      Secrets.register(key)
      self.fields.append(HTTPField("authorization", "Bearer \(key)"))
    }
  }

  /// Whether it is OpenAI's own, which knows its models' oddities.
  var isOpenAI: Bool { URLComponents(string: base)?.host?.lowercased() == "api.openai.com" }

  /// A streamed request to a path.
  func transfer(_ path: String, model: String, _ body: WireText) -> EventStreamTransfer {
    EventStreamTransfer(client: client, request: request(path, model: model, body), trace: trace)
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
    guard namesDeployment else { return joined(base, path) }
    let name =
      model.addingPercentEncoding(
        withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))
      ?? model
    return joined(base, "/deployments/\(name)\(path)")
  }

  /// Whether a name is that of one of OpenAI's models that reason.
  static func isReasoning(_ model: String) -> Bool {
    isNumberedO(model) || (model.hasPrefix("gpt-5") && !model.hasPrefix("gpt-5-chat"))
  }

  /// Whether a name begins as OpenAI's `o1` and `o3-mini` do.
  static func isNumberedO(_ name: String) -> Bool {
    let bytes = Array(name.utf8.prefix(2))
    return bytes.count == 2 && bytes[0] == 0x6F && bytes[1].isDigit
  }
}
