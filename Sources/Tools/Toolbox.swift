public import Core
import Events
import Foundation
import HTTP
public import Keys
import Storage
import Processes

/// The tools of all sources, and the permission to call them.
///
/// No server starts before a list is missing or a tool is called.
///
/// ```swift
/// let toolbox = try Toolbox(session)
/// let tool = try await toolbox.tool(named: "mcp:time/get_current_time")
/// let outcome = await toolbox.call(ToolRequest(tool, arguments))
/// await toolbox.close()
/// ```
public final class Toolbox: Sendable {
  /// The permissions.
  public let consent: ToolConsent
  let sources: [any ToolSource]
  let entries: [ServerEntry]
  let needs: ServerSource.Needs
  let report: NoticeHandler
  let journal: EventJournal?
  /// `true` if only tools that their sources mark as read-only are used.
  let isReadOnly: Bool
  private let guardian = SharedGuardian()

  /// Creates the toolbox from the configuration.
  ///
  /// - Throws: `BadConfiguration` if the configuration or a server's entry is invalid; `BadInput`
  ///   if the file of other servers is; the errors of the key store and of the store.
  public init(
    _ surroundings: any Surroundings, _ options: ToolOptions = ToolOptions()
  ) throws(Failure) {
    let settings = try surroundings.configuration()
    let keys = surroundings.keys(settings)
    let terminal =
      options.asksPerson ? ToolTerminal(surroundings.interruption, open: options.openPage) : nil
    let consent = try Self.consent(surroundings, settings, options, asking: terminal)
    let client = HTTPClient()
    let needs = ServerSource.Needs(
      version: options.version,
      places: ServerPlaces(
        environment: surroundings.environment, directories: surroundings.directories, keys: keys,
        client: client, logIn: terminal?.logIn(at:_:_:)),
      cache: ListCache(surroundings.directories), admit: consent.admit,
      person: terminal, guardian: guardian, report: surroundings.report,
      traceparent: { CallSpan.current?.traceparent })
    var sources: [any ToolSource] = []
    let entries = try Self.entries(settings, options)
    for entry in entries {
      if let problem = entry.problem { throw problem }
      sources.append(ServerSource(entry, needs))
    }
    if let tavily = try TavilySource(
      environment: surroundings.environment, keys: keys, client: client, retries: options.retries)
    {
      sources.append(tavily)
    }
    if let composio = try ComposioSource(
      surroundings, settings, client, person: terminal, retries: options.retries)
    {
      sources.append(composio)
    }
    (self.consent, self.sources, self.entries) = (consent, sources, entries)
    (self.needs, report, journal) = (needs, surroundings.report, options.journal)
    isReadOnly = options.isReadOnly
  }

  /// Returns the servers of the configuration and of the named file, sorted by name; the file's
  /// entries apply to this run, and replace others of the same name.
  static func entries(
    _ settings: Settings, _ options: ToolOptions
  ) throws(Failure) -> [ServerEntry] {
    var entries: [String: ServerEntry] = [:]
    for (name, settings) in settings.mcp {
      entries[name] = ServerEntry(name: name, settings: settings)
    }
    if let (name, bytes) = options.configuration {
      for entry in try ClientConfiguration.servers(bytes, file: name) {
        entries[entry.name] = entry
      }
    }
    return entries.values.sorted { $0.name < $1.name }
  }

  /// Returns the permissions of a run.
  ///
  /// - Parameters:
  ///   - surroundings: The folders.
  ///   - settings: The configuration.
  ///   - options: The choices of the run.
  ///   - terminal: The person at the terminal; nil for none.
  /// - Returns: The permissions.
  /// - Throws: `StorageFailed` if gates are used and the store cannot be opened.
  public static func consent(
    _ surroundings: any Surroundings, _ settings: Settings, _ options: ToolOptions,
    asking terminal: ToolTerminal?
  ) throws(Failure) -> ToolConsent {
    let rules = ToolRules(
      allowed: options.allow.map(ToolPattern.init),
      configured: (options.configured ?? settings.allowedTools).map(ToolPattern.init))
    var asking: ToolConsent.Asking?
    if let show = options.gate {
      let gates = ToolGates(store: try Store(surroundings.directories)) {
        [journal = options.journal] in
        journal?.record([$0.event])
        show($0)
      }
      asking = { (question, _) async throws(Failure) in try await gates.ask(question) }
    } else if let terminal {
      asking = { (question, given) async throws(Failure) in
        try await terminal.ask(question, given)
      }
    }
    return ToolConsent(rules, ToolAgreements(surroundings.directories), asking: asking)
  }

  /// The names of the sources.
  public var sourceNames: [String] { sources.map(\.name) }

  /// Opens the tools of all sources, does the given work, and ends the servers after it.
  ///
  /// - Throws: As ``init(_:_:)``; the errors of the work.
  public static func using<Value>(
    _ surroundings: any Surroundings, _ options: ToolOptions,
    _ work: (Toolbox) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let toolbox = try Toolbox(surroundings, options)
    do throws(Failure) {
      let value = try await work(toolbox)
      await toolbox.close()
      return value
    } catch {
      await toolbox.close()
      throw error
    }
  }

  /// Ends all servers.
  public func close() async {
    await withTaskGroup { group in
      for source in sources { group.addTask { await source.close() } }
    }
    guardian.dismiss()
  }
}
