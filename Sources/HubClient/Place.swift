public import Core
public import Events
public import Keys
import Requests
public import Storage

/// The place where a tool reads and changes state and records events: this machine or a hub.
///
/// The questions and changes of `HubQuestions` work in the same way for both.
public struct Place: Sendable {
  /// The environment variable that names a hub if no option does.
  public static let variable = "AGENTPIPES_HUB"

  /// The hub or its group; nil for this machine.
  public let hub: HubGroup?
  private let surroundings: any Surroundings
  private static let waiting = Blocking("place")

  /// Finds the place that the tool's options or environment name.
  ///
  /// - Parameters:
  ///   - words: The hubs, as for `HubGroup`; nil for `AGENTPIPES_HUB`, or this machine if that is
  ///     not set.
  ///   - isHere: `true` to use this machine even if a hub is named.
  ///   - surroundings: The environment of the tool.
  /// - Throws: As `HubChoice.named`; `BadConfiguration` if the configuration is invalid.
  public init(
    _ words: String?, isHere: Bool = false, _ surroundings: any Surroundings
  ) throws(Failure) {
    self.surroundings = surroundings
    let given = surroundings.environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    hub = try (isHere ? nil : words ?? given).map { (words) throws(Failure) in
      let settings = try surroundings.configuration()
      return try HubGroup(
        named: words, in: settings, keys: surroundings.keys(settings),
        directories: surroundings.directories)
    }
  }

  /// The name of the machine whose events and records name none; nil if it is unknown.
  ///
  /// Hubs that share their records do not distinguish their own machines.
  public var host: String? {
    guard let hubs = hub?.hubs else { return EventHost.own }
    return hubs.count > 1 ? nil : hubs[0].isLocal ? EventHost.own : hubs[0].host
  }

  /// The directories of this machine.
  public var directories: Directories { surroundings.directories }

  /// The signal that occurs when the process is to end.
  public var interruption: Interruption { surroundings.interruption }

  /// Receives a sentence about each problem.
  public var report: NoticeHandler { { [surroundings] (notice) in surroundings.report(notice) } }

  /// The limits on decisions and controls on this machine.
  public var limits: @Sendable () throws(Failure) -> ActionLimits {
    { [surroundings] () throws(Failure) in try surroundings.configuration().limits }
  }

  /// Calls `make` if the place is this machine.
  ///
  /// - Returns: The result of `make`; nil if the place is a hub.
  /// - Throws: The errors of `make`.
  public func here<Value, Problem: Error>(
    _ make: () throws(Problem) -> Value?
  ) throws(Problem) -> Value? {
    hub == nil ? try make() : nil
  }

  /// Runs the given work on a thread that may block, because the work may wait for the network.
  ///
  /// - Returns: The result of the work.
  /// - Throws: The errors of the work.
  public func wait<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await Self.waiting.run(work)
  }

  /// Returns the place of the hub with the given URL, or of the group with the given URLs.
  ///
  /// - Throws: As `HubChoice.named`; `BadConfiguration` if the configuration is invalid.
  public func hub(at url: String) throws(Failure) -> Place { try Place(url, surroundings) }

  /// Returns the hub that the option `--hub` of another tool must name; nil if it needs none.
  ///
  /// The store of this machine is also that of its own hub.
  ///
  /// - Throws: As `KeyStore.find`.
  public func option() throws(Failure) -> String? {
    guard let hub, !(try hub.isOwn()) else { return nil }
    return hub.name
  }

  /// Connects the gates of the given store to the place's hub.
  ///
  /// Returns nil if the place is this machine, or a hub that uses the same store.
  ///
  /// - Throws: As `KeyStore.find`.
  public func gates(_ store: Store) throws(Failure) -> HubGates? {
    guard let hub, !(try hub.isOwn()) else { return nil }
    return HubGates(hub, store: store, report: report)
  }

  /// Fetches the decision on the given gate from the hub that owns the gate.
  ///
  /// Has no effect if that hub is the place's hub.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read or written; `BadConfiguration` if the
  ///   configuration is invalid.
  public func refreshGate(_ gateId: String, in store: Store) async throws(Failure) {
    guard let owner = try store.hub(ofGate: gateId), owner.isOwner, owner.url != hub?.name
    else { return }
    await (try hub(at: owner.url).gates(store))?.refresh(gateId)
  }

  /// Sends each local decision that was not yet sent to the hub that has the gate.
  ///
  /// If a hub is unreachable, a later call sends the decision.
  ///
  /// - Throws: `StorageFailed` if the store cannot be read; `BadConfiguration` if the configuration
  ///   is invalid.
  public func sendDecisions() async throws(Failure) {
    guard let store = try Store(existingIn: directories) else { return }
    for url in try store.unreportedHubs() { await (try hub(at: url).gates(store))?.sendDecisions() }
  }

  /// Returns the links to the pages about the place's records.
  ///
  /// They are those of the configuration. A hub adds its own links to its records. If the
  /// configuration is invalid, the place has no links, and the reason is reported.
  public func links() -> WebLinks {
    guard hub == nil else { return WebLinks() }
    do throws(Failure) {
      let serve = try surroundings.configuration().serve
      let links = try WebLinks(serve)
      return serve["page"] == "true" ? serve["public_url"].map(links.withPage) ?? links : links
    } catch {
      report(.sentence("no web links: \(error.explanation)"))
      return WebLinks()
    }
  }

  /// Creates the sink that receives the tool's events.
  public func sink() -> any EventSink {
    guard let hub else { return EventJournal(directories, report: report) }
    return HubOutbox(hub, directories, report: report)
  }

  /// Creates the reader of the place's events.
  ///
  /// - Parameters:
  ///   - sockets: Connects to a hub whose URL is a WebSocket URL.
  ///   - lost: Receives the reason each time a connection is lost.
  /// - Returns: The reader.
  public func events(
    sockets: @escaping (HubCall) throws(Failure) -> any HubLine, lost: @escaping (Failure) -> Void
  ) -> any PlaceEvents {
    guard let hub else { return LogEvents(directories, interruption) }
    return HubEvents(hub, interruption, sockets: sockets, lost: lost)
  }
}
