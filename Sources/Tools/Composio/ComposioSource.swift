import Core

/// The tools of Composio's tool router.
actor ComposioSource: ToolSource {
  /// Shows a person the link at which a toolkit is connected; `true` once the person says that it
  /// is.
  typealias Connect =
    @Sendable (_ toolkit: String, _ link: String) async throws(Failure) -> Bool

  /// The number of times a call is sent while its toolkit is not connected.
  private static let mostConnectTries = 3
  /// The wait for a connection: the seconds between requests, and their number.
  private static let (pollSeconds, mostPolls) = (3.0, 200)

  static let name = "composio"
  nonisolated var name: String { Self.name }
  private let router: ComposioRouter
  private let sessions: ComposioSessions
  private let cache: ListCache
  private let connect: Connect?
  private let report: NoticeHandler
  /// The session of this process.
  private var session: String?
  private var list: CachedList?
  private var hasReadCache = false
  /// The digests of the tools in the list that was stored before it was read again.
  private var before: [String: String]?
  /// The tools that this process has read.
  private var seen: [String: ComposioTool] = [:]

  /// Creates the source.
  ///
  /// - Parameters:
  ///   - router: The router.
  ///   - settings: The settings of `[composio]`.
  ///   - directories: The folders of the stored session and list.
  ///   - connect: Asks a person to connect a toolkit; nil if there is nobody.
  ///   - report: The receiver of notices.
  init(
    _ router: ComposioRouter, _ settings: Settings.ComposioSettings, _ directories: Directories,
    connect: Connect?, report: @escaping NoticeHandler
  ) {
    self.router = router
    sessions = ComposioSessions(router, settings, directories)
    cache = ListCache(directories)
    (self.connect, self.report) = (connect, report)
  }

  func tools(fresh: Bool) async throws(Failure) -> [ToolRecord] {
    if !fresh, let list = stored, list.isOffered(at: .now) { return list.dated }
    return try await read().tools
  }

  func current(_ name: String) async throws(Failure) -> CurrentTool {
    let found = try await known(name)
    let earlier = before?[name]
    let isChanged = earlier.map { $0 != found.digest } ?? false
    return CurrentTool(tool: found, difference: isChanged ? "changed" : nil)
  }

  func tool(named name: String) async throws(Failure) -> ToolRecord? { try await known(name) }

  func call(_ tool: ToolRecord, _ arguments: JSONValue) async throws(Failure) -> SourceResult {
    var tries = 0
    var link: String?
    while true {
      tries += 1
      let failure: Failure
      do throws(Failure) {
        return try await inSession { [router] (id) async throws(Failure) in
          try await router.execute(tool.name, arguments, in: id)
        }
      } catch {
        failure = error
      }
      guard failure.kind == .notConnected else { throw failure }
      let toolkit = try await toolkit(of: tool.name)
      if tries < Self.mostConnectTries {
        let new = try await self.link(toolkit)
        link = new
        if let connect, try await connect(toolkit, new) { continue }
      }
      throw Failure(
        .authExpired,
        "the toolkit '\(toolkit)' is not connected", kind: .notConnected, status: failure.status,
        url: link,
        nextStep: (link.map { "open '\($0)'" } ?? "connect the toolkit") + ", then call again")
    }
  }

  func search(_ words: String) async throws(Failure) -> [ToolRecord] {
    try await inSession { [router] (id) async throws(Failure) in
      try await router.search(words, in: id)
    }
  }

  /// Returns the address at which a person connects the given toolkit.
  ///
  /// - Throws: `BadUsage` if the name is invalid; the errors of the router.
  func link(_ toolkit: String) async throws(Failure) -> String {
    guard ComposioTool.isToolkit(toolkit) else {
      throw Failure(.badUsage, "'\(ComposioRouter.line(toolkit))' is not the name of a toolkit")
    }
    return try await inSession { [router] (id) async throws(Failure) in
      try await router.link(toolkit, in: id)
    }
  }

  /// Waits until a person has connected the given toolkit.
  ///
  /// - Throws: `AuthExpired` if nobody does within ten minutes; the errors of the router.
  func waitForConnection(_ toolkit: String, _ link: String) async throws(Failure) {
    for _ in 0..<Self.mostPolls {
      let isConnected = try await inSession { [router] (id) async throws(Failure) in
        try await router.isConnected(toolkit, in: id)
      }
      if isConnected { return }
      guard (try? await router.pause(Self.pollSeconds)) != nil else {
        throw Failure(.interrupted, "nobody connected '\(toolkit)'")
      }
    }
    throw Failure(
      .authExpired, "nobody connected '\(toolkit)' in time", kind: .notConnected, url: link)
  }

  /// Goes on with the given session if it is there and belongs to the configured user.
  ///
  /// - Returns: The id of the session that calls use from now on.
  func continueSession(_ id: String?) async throws(Failure) -> String {
    guard let id, id != session, ComposioRouter.isIdentifier(id) else {
      return try await currentSession()
    }
    do throws(Failure) {
      // A chat from elsewhere must not make this user act as another.
      guard try await router.user(of: id) == sessions.user else {
        return try await currentSession()
      }
      session = id
      return id
    } catch {
      guard error.kind == .sessionGone else { throw error }
      return try await currentSession()
    }
  }

  func close() async {}

  private func currentSession() async throws(Failure) -> String {
    if let session { return session }
    let id = try await sessions.id()
    session = id
    return id
  }

  /// Works in the current session; in a new one if the server does not know it any longer.
  private func inSession<Value: Sendable>(
    _ work: @Sendable (String) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let id = try await currentSession()
    do throws(Failure) {
      return try await work(id)
    } catch {
      guard error.kind == .sessionGone else { throw error }
    }
    let new = try await sessions.id(insteadOf: id)
    session = new
    return try await work(new)
  }

  /// Returns the given tool from a list that is younger than a session, or from the server.
  private func known(_ name: String) async throws(Failure) -> ToolRecord {
    if let tool = seen[name] { return tool.record }
    let isYoung = stored.map { list in
      let age = Timestamp.now.seconds(since: list.listedAt)
      return age >= 0 && age < ComposioSessions.lifetimeSeconds
    }
    let list = isYoung == true ? stored : nil
    if let found = list?.tools.first(where: { $0.name == name }) { return found }
    if list == nil, let found = try await read().tools.first(where: { $0.name == name }) {
      return found
    }
    return try await look(up: name).record
  }

  private func look(up name: String) async throws(Failure) -> ComposioTool {
    let tool = try await router.tool(named: name)
    seen[name] = tool
    return tool
  }

  private func toolkit(of name: String) async throws(Failure) -> String {
    let tool: ComposioTool
    if let known = seen[name] { tool = known } else { tool = try await look(up: name) }
    guard let toolkit = tool.toolkit else {
      throw Failure(
        .authExpired, "'\(Visible.line(name))' is not connected", kind: .notConnected)
    }
    return toolkit
  }

  /// The list that was stored before, read once.
  private var stored: CachedList? {
    if !hasReadCache {
      hasReadCache = true
      list = cache.list(sessions.digest)
    }
    return list
  }

  /// Reads the list of the session, and stores it without tools that cannot be used.
  private func read() async throws(Failure) -> CachedList {
    before = stored.map { list in
      Dictionary(list.tools.map { ($0.name, $0.digest) }) { first, _ in first }
    }
    let tools = try await inSession { [router] (id) async throws(Failure) in
      try await router.tools(in: id)
    }
    var new = CachedList(listedAt: .now, ttlMs: nil, revision: nil, tools: [])
    for tool in tools {
      if case .foreign(let fault) = ToolSchema(tool.record.inputSchema) {
        report(.sentence("left out '\(Visible.line(tool.record.fullName))': \(fault)"))
        continue
      }
      new.tools.append(tool.record)
      seen[tool.record.name] = tool
    }
    list = new
    do throws(Failure) {
      try cache.store(new, sessions.digest)
    } catch {
      report(.sentence("the list of composio was not stored: \(error.explanation)"))
    }
    return new
  }
}
