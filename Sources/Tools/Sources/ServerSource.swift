import Core
import MCP
import Processes

/// The tools of a server of the Model Context Protocol, which starts when it is needed.
actor ServerSource: ToolSource {
  /// The parts of its surroundings that a source needs.
  struct Needs: Sendable {
    /// The version of this program.
    var version: String
    /// The way from settings to servers.
    var places: ServerPlaces
    /// The stored lists.
    var cache: ListCache
    /// Requires the agreement to start a server from another program's file.
    var admit: @Sendable (ServerEntry) async throws(Failure) -> Void
    /// The person who answers questions of servers; nil if there is nobody.
    var person: (any MCPPerson)?
    /// Starts or returns the guardian of this process.
    var guardian: SharedGuardian
    /// The receiver of notices.
    var report: NoticeHandler
    /// The trace and the span of the current call.
    var traceparent: @Sendable () -> String?
  }

  nonisolated let name: String
  private let entry: ServerEntry
  private let needs: Needs
  private let repeatable: [ToolPattern]
  private var cached: CachedList?
  private var hasReadCache = false
  /// `true` if the list was read in this run.
  private var hasRead = false
  /// The work that starts the server and reads its list, once for all callers.
  private var starting: Task<Result<CachedList, Failure>, Never>?
  private var client: MCPClient?
  /// The digests of the tools in the list that was stored before this run.
  private var before: [String: String]?

  init(_ entry: ServerEntry, _ needs: Needs) {
    name = entry.source
    (self.entry, self.needs) = (entry, needs)
    repeatable = (entry.settings.repeatable ?? []).map(ToolPattern.init)
  }

  func tools(fresh: Bool) async throws(Failure) -> [ToolRecord] {
    if !fresh, starting == nil, let list = stored(), list.isOffered(at: .now) { return list.dated }
    return try await started(fresh: true).tools
  }

  func current(_ tool: String) async throws(Failure) -> CurrentTool {
    let list = try await started()
    guard let found = list.tools.first(where: { $0.name == tool }) else {
      throw Failure(
        .notFound, "\(name) has no tool '\(Visible.line(String(tool.prefix(200))))' any longer",
        input: tool, nextStep: "run 'tool-call list \(name) --fresh'")
    }
    var difference: String?
    if let before {
      let earlier = before[tool]
      difference =
        earlier == nil ? "is new" : earlier == found.digest ? nil : "has changed"
    }
    return CurrentTool(tool: found, difference: difference)
  }

  func call(_ tool: ToolRecord, _ arguments: JSONValue) async throws(Failure) -> SourceResult {
    _ = try await started()
    guard let client else { throw Failure(.interrupted, "the server was ended") }
    let result = try await client.call(
      MCPTool(tool), arguments: arguments,
      isRepeatable: repeatable.contains { $0.matches(tool) })
    return SourceResult(
      content: result.content, structuredContent: result.structuredContent,
      isError: result.isError)
  }

  func close() async {
    let client = client
    self.client = nil
    starting?.cancel()
    _ = await starting?.value
    await client?.close()
    // A start that was under way may have made a client meanwhile.
    await self.client?.close()
    self.client = nil
  }

  /// The list that was stored before, read once.
  private func stored() -> CachedList? {
    if !hasReadCache {
      cached = needs.cache.list(entry.digest)
      hasReadCache = true
    }
    return cached
  }

  /// Starts the server if it has not been started, and returns its list.
  ///
  /// - Parameter fresh: `true` to read the list even if the server still allows the stored one.
  /// - Returns: The list.
  /// - Throws: The errors of the start.
  private func started(fresh: Bool = false) async throws(Failure) -> CachedList {
    if let starting, hasRead || !fresh { return try await starting.value.get() }
    let task = Task { () -> Result<CachedList, Failure> in
      do throws(Failure) {
        return .success(try await self.start(fresh: fresh))
      } catch {
        return .failure(error)
      }
    }
    starting = task
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if case .failure = result, starting == task { starting = nil }
    return try result.get()
  }

  private func start(fresh: Bool) async throws(Failure) -> CachedList {
    try await needs.admit(entry)
    let earlier = stored()
    let client: MCPClient
    if let known = self.client {
      client = known
    } else {
      client = try made(earlier)
      self.client = client
    }
    if !fresh, let earlier, earlier.isFresh(at: .now) { return earlier }
    before = earlier.map { list in
      Dictionary(list.tools.map { ($0.name, $0.digest) }) { first, _ in first }
    }
    do throws(Failure) {
      let listing = try await client.tools()
      hasRead = true
      return keep(listing)
    } catch {
      await client.close()
      throw error
    }
  }

  private func made(_ earlier: CachedList?) throws(Failure) -> MCPClient {
    MCPClient(
      try needs.places.server(entry), version: needs.version, person: needs.person,
      http: needs.places.client, remembered: earlier?.revision.map(MCPRevision.init(rawValue:)),
      traceparent: needs.traceparent, report: report, guardian: needs.guardian.started)
  }

  /// Stores the given listing, without tools that cannot be used.
  private func keep(_ listing: MCPListing) -> CachedList {
    for fault in listing.faults { needs.report(.sentence("\(name): \(Visible.line(fault))")) }
    var list = CachedList(
      listedAt: .now, ttlMs: listing.ttlMs, revision: listing.revision.rawValue, tools: [])
    var names: Set<String> = []
    for tool in listing.tools {
      let record = ToolRecord(tool, source: name)
      let isNew = names.insert(tool.name).inserted
      guard let fault = isNew ? Self.fault(of: record) : "its name is listed twice" else {
        list.tools.append(record)
        continue
      }
      needs.report(.sentence("left out '\(Visible.line(record.fullName))': \(fault)"))
    }
    cached = list
    do throws(Failure) {
      try needs.cache.store(list, entry.digest)
    } catch {
      needs.report(.sentence("the list of \(name) was not stored: \(error.explanation)"))
    }
    return list
  }

  private static func fault(of tool: ToolRecord) -> String? {
    for schema in [tool.inputSchema, tool.outputSchema].compactMap(\.self) {
      if case .foreign(let reason) = ToolSchema(schema) { return reason }
    }
    return nil
  }

  private nonisolated var report: @Sendable (MCPNote) -> Void {
    { [name, report = needs.report] message in
      switch message {
      case .progress(let text): report(.progress("\(name): \(Visible.line(text))"))
      case .line(let text): report(.verbose("\(name): \(Visible.line(text))"))
      case .fault(let text): report(.sentence("\(name): \(Visible.line(text))"))
      }
    }
  }
}

extension ToolRecord {
  init(_ tool: MCPTool, source: String) {
    self.init(name: tool.name, source: source, inputSchema: tool.inputSchema)
    (title, description) = (tool.title, tool.description)
    (outputSchema, annotations) = (tool.outputSchema, tool.annotations)
  }
}

extension MCPTool {
  init(_ tool: ToolRecord) {
    self.init(
      name: tool.name, title: tool.title, description: tool.description,
      inputSchema: tool.inputSchema, outputSchema: tool.outputSchema,
      annotations: tool.annotations)
  }
}
