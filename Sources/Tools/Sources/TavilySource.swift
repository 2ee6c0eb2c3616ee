import Core
import Foundation
import HTTP
import Keys
import MCP

/// Tavily's search as the tool `web_search`.
struct TavilySource: ToolSource {
  /// The default base URL, without `TAVILY_BASE_URL`.
  private static let defaultBase = "https://api.tavily.com"

  let name = "tavily"
  private let base: String
  private let key: String
  private let client: HTTPClient
  private let retries: RetryPolicy

  /// Creates the source; nil if no key is found.
  ///
  /// - Throws: The errors of the key store.
  init?(
    environment: [String: String], keys: KeyStore, client: HTTPClient, retries: Int?
  ) throws(Failure) {
    guard let found = try keys.find("tavily") else { return nil }
    key = found.secret
    let named = environment["TAVILY_BASE_URL"].flatMap { $0.isEmpty ? nil : $0 }
    base = (named ?? Self.defaultBase).trimmingSuffix { $0 == "/" }
    self.client = client
    self.retries = RetryPolicy(retries: retries)
  }

  /// The only tool.
  static var tool: ToolRecord {
    func part(_ type: String, _ description: String) -> [String: JSONValue] {
      ["type": .string(type), "description": .string(description)]
    }
    var topic = part("string", "The kind of pages to search.")
    topic["enum"] = .array(["general", "news", "finance"].map(JSONValue.string))
    var count = part("integer", "The number of results.")
    (count["minimum"], count["maximum"], count["default"]) = (.int(1), .int(20), .int(3))
    let schema: [String: JSONValue] = [
      "type": .string("object"), "additionalProperties": .bool(false),
      "required": .array([.string("query")]),
      "properties": .object([
        "query": .object(part("string", "The search query.")), "topic": .object(topic),
        "max_results": .object(count),
      ]),
    ]
    var tool = ToolRecord(name: "web_search", source: "tavily", inputSchema: .object(schema))
    tool.title = "Web search"
    tool.description = "Search the web; returns pages with their titles, URLs and content."
    tool.annotations = .object(["readOnlyHint": .bool(true)])
    return tool
  }

  func tools(fresh: Bool) async throws(Failure) -> [ToolRecord] { [Self.tool] }

  func current(_ name: String) async throws(Failure) -> CurrentTool { CurrentTool(tool: Self.tool) }

  func close() async {}

  func call(_ tool: ToolRecord, _ arguments: JSONValue) async throws(Failure) -> SourceResult {
    var body = arguments.members ?? [:]
    body["max_results"] = body["max_results"] ?? .int(3)
    let request = HTTPRequest(
      url: base + "/search", method: "POST",
      fields: [
        HTTPField("authorization", "Bearer \(key)"), HTTPField("content-type", "application/json"),
        HTTPField("accept", "application/json"),
      ], body: Array(JSONValue.object(body).json.utf8),
      timeouts: HTTPTimeouts(idle: 60, total: 120), maximumBodyBytes: 16 << 20)
    var tries = 0
    while true {
      tries += 1
      do throws(Failure) {
        return try Self.result(try await client.collect(request), url: request.url)
      } catch {
        let failure = Self.billed(error)
        guard failure.code != .toolFailed,
          let wait = retries.delay(after: failure, tries: tries, jitter: Double.random(in: 0...1))
        else { throw failure }
        guard (try? await Task.sleep(for: .seconds(wait))) != nil else {
          throw Failure(.interrupted, "the call was cancelled")
        }
      }
    }
  }

  /// Returns the given failure; a request that may have arrived without an answer may have been
  /// billed, so it is not sent again.
  private static func billed(_ failure: Failure) -> Failure {
    guard failure.status == nil, [.networkUnavailable, .timeout].contains(failure.code),
      ![.connect, .connectTimeout, .resolve, .tls, .proxy].contains(failure.kind)
    else { return failure }
    return Failure(
      .toolFailed, "the outcome of the search is unknown: \(failure.explanation)",
      kind: .unknownOutcome, url: failure.url, cause: failure.cause)
  }

  /// Returns the result in the given answer.
  ///
  /// - Throws: The failure of the status, with Tavily's sentence; `InvalidResponse` if the body is
  ///   not an answer.
  private static func result(
    _ response: HTTPResponse, url: String
  ) throws(Failure) -> SourceResult {
    let value = JSONValue(json: response.body)
    let status = response.head.status
    guard status == 200 else {
      let detail = value?["detail"]
      var failure = Failure(
        httpStatus: status, head: response.head, url: url,
        message: detail?["error"]?.text ?? detail?.text)
      // 432 is the limit of a plan, 433 that of paying as one goes.
      if [432, 433].contains(status) { failure.code = .quotaExhausted }
      throw failure
    }
    guard let value, let pages = value["results"]?.items else {
      throw Failure(
        .invalidResponse, "'\(Failure.shownURL(url))' sent no results",
        url: Failure.shownURL(url))
    }
    let parts = pages.map { page in
      [page["title"], page["url"], page["content"]].compactMap { $0?.text }.joined(separator: "\n")
    }
    return SourceResult(
      content: parts.map { .object(["type": .string("text"), "text": .string($0)]) },
      structuredContent: value, logId: value["request_id"]?.text)
  }
}

extension String {
  fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> String {
    var rest = self[...]
    while let last = rest.last, isDropped(last) { rest.removeLast() }
    return String(rest)
  }
}
