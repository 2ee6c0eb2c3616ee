import Core
import HTTP

/// Composio's tool router: sessions, their tools, and calls.
///
/// Each request follows the recovery rules of ``wait(after:_:tries:)``.
struct ComposioRouter: Sendable {
  /// The default base URL, without `COMPOSIO_BASE_URL`.
  static let defaultBase = "https://backend.composio.dev"
  /// The router's own tools, which have a path of their own.
  private static let metaTools: Set = [
    "COMPOSIO_SEARCH_TOOLS", "COMPOSIO_MULTI_EXECUTE_TOOL", "COMPOSIO_MANAGE_CONNECTIONS",
    "COMPOSIO_WAIT_FOR_CONNECTIONS", "COMPOSIO_REMOTE_WORKBENCH", "COMPOSIO_REMOTE_BASH_TOOL",
    "COMPOSIO_GET_TOOL_SCHEMAS",
  ]
  /// The limits on a list of tools, against a server whose pages never end.
  private static let (mostPages, toolsPerPage) = (20, 500)
  /// The limit on tools whose schemas are looked up after a search.
  private static let mostLookups = 10

  let base: String
  let key: String
  let client: HTTPClient
  /// The number of retries of failed requests; nil for the usual numbers.
  var retries: Int?
  /// Waits for the given seconds.
  var pause: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

  /// Creates a session, and returns its id.
  func createSession(_ user: String, _ toolkits: [String]) async throws(Failure) -> String {
    var body: [String: JSONValue] = ["user_id": .string(user)]
    if !toolkits.isEmpty {
      body["toolkits"] = .object(["enable": .array(toolkits.map(JSONValue.string))])
      // Without this, a session lists the router's own tools only.
      body["preload"] = .object(["tools": .string("all")])
    }
    let request = ComposioRequest("", body, .changes)
    let answer = try await answer(request)
    guard let id = answer["session_id"]?.text, Self.isIdentifier(id) else {
      throw invalid(request, "no session id")
    }
    return id
  }

  /// Returns the user of the given session.
  func user(of session: String) async throws(Failure) -> String? {
    try await answer(ComposioRequest("/\(session)"))["config"]?["user_id"]?.text
  }

  /// Returns the tools of the given session; invalid ones are left out.
  func tools(in session: String) async throws(Failure) -> [ComposioTool] {
    var tools: [ComposioTool] = []
    var names: Set<String> = []
    var cursors: Set<String> = []
    var page = "limit=\(Self.toolsPerPage)"
    for _ in 0..<Self.mostPages {
      let request = ComposioRequest("/\(session)/tools?\(page)")
      let answer = try await answer(request)
      guard let items = answer["items"]?.items else { throw invalid(request, "no tools") }
      for tool in items.compactMap(ComposioTool.init) where names.insert(tool.record.name).inserted
      {
        tools.append(tool)
      }
      guard let next = answer["next_cursor"]?.text, !next.isEmpty, next.utf8.count <= 2000 else {
        return tools
      }
      guard cursors.insert(next).inserted else { break }
      page = "limit=\(Self.toolsPerPage)&cursor=\(next.percentEncoded)"
    }
    throw Failure(.invalidResponse, "the list of Composio's tools does not end")
  }

  /// Returns the tool with the given name, which may not be in a session's list.
  ///
  /// - Throws: `NotFound` if there is no such tool.
  func tool(named name: String) async throws(Failure) -> ComposioTool {
    guard ComposioTool.isName(name) else {
      throw Failure(
        .notFound, "Composio has no tool '\(Visible.line(String(name.prefix(200))))'",
        input: Visible.line(String(name.prefix(200))))
    }
    var request = ComposioRequest("/\(name)")
    request.root = "/api/v3.1/tools"
    guard let tool = ComposioTool(try await answer(request)), tool.record.name == name else {
      throw invalid(request, "no tool")
    }
    return tool
  }

  /// Returns the tools that fit the given description of a task, the best first.
  func search(_ words: String, in session: String) async throws(Failure) -> [ToolRecord] {
    let query = JSONValue.object(["use_case": .string(String(words.prefix(1024)))])
    let request = ComposioRequest("/\(session)/search", ["queries": .array([query])], .changes)
    let answer = try await answer(request)
    guard let results = answer["results"]?.items else { throw invalid(request, "no results") }
    if results.isEmpty, let problem = answer["error"]?.text {
      throw Failure(.toolFailed, "the search failed: \(Self.line(problem))")
    }
    let names = ["primary_tool_slugs", "related_tool_slugs"].flatMap { member in
      results.flatMap { $0[member]?.texts ?? [] }
    }
    var found: [ToolRecord] = []
    var seen: Set<String> = []
    var lookups = 0
    for name in names where ComposioTool.isName(name) && seen.insert(name).inserted {
      if let facts = answer["tool_schemas"]?[name],
        let record = ComposioTool.found(name, facts)
      {
        found.append(record)
      } else if lookups < Self.mostLookups {
        lookups += 1
        do throws(Failure) {
          found.append(try await tool(named: name).record)
        } catch {
          guard error.code == .notFound else { throw error }
        }
      }
    }
    return found
  }

  /// Calls the given tool, at most once.
  ///
  /// - Throws: `ToolFailed` of kind `unknownOutcome` if the call may have arrived, and its result is
  ///   unknown.
  func execute(
    _ name: String, _ arguments: JSONValue, in session: String
  ) async throws(Failure) -> SourceResult {
    let isMeta = Self.metaTools.contains(name)
    let request = ComposioRequest(
      "/\(session)/" + (isMeta ? "execute_meta" : "execute"),
      [isMeta ? "slug" : "tool_slug": .string(name), "arguments": arguments], .calls)
    guard let result = SourceResult(composio: try await answer(request)) else {
      throw invalid(request, "neither a result nor an error").unknownOutcome
    }
    return result
  }

  /// Returns the address at which a person connects the given toolkit.
  func link(_ toolkit: String, in session: String) async throws(Failure) -> String {
    let request = ComposioRequest(
      "/\(session)/link", ["toolkit": .string(toolkit)], .changes)
    let answer = try await answer(request)
    guard let link = answer["redirect_url"]?.text, isLink(link) else {
      throw invalid(request, "no link")
    }
    return link
  }

  /// Returns `true` if the given toolkit has an account that can be used.
  func isConnected(_ toolkit: String, in session: String) async throws(Failure) -> Bool {
    let request = ComposioRequest("/\(session)/toolkits?toolkits=\(toolkit.percentEncoded)")
    guard let items = try await answer(request)["items"]?.items else {
      throw invalid(request, "no toolkits")
    }
    return items.contains { item in
      item["slug"]?.text == toolkit && item["connected_account"]?["status"]?.text == "ACTIVE"
    }
  }

  /// `true` if the given address may be shown to a person and opened: a plain URL over TLS, unless
  /// the router itself is asked without TLS.
  private func isLink(_ link: String) -> Bool {
    link.utf8.count <= 2000 && link.utf8.allSatisfy { 0x21...0x7E ~= $0 }
      && (link.hasPrefix("https://") || base.hasPrefix("http://") && link.hasPrefix("http://"))
  }

  /// `true` if the given text may be an id in a path.
  static func isIdentifier(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= 200
      && id.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
  }

  static func line(_ text: String) -> String { Visible.line(String(text.prefix(500))) }

  private func invalid(_ request: ComposioRequest, _ what: String) -> Failure {
    let url = Failure.shownURL(base + request.path)
    return Failure(.invalidResponse, "'\(url)' sent \(what)", url: url)
  }
}
