public import Core
public import Events
public import Keys
import Requests
public import Storage

/// The place at which a tool reads state, changes it and records events: this machine or a hub.
///
/// Tools send the questions and changes of `HubQuestions` to a place, and need not know if it is a
/// hub.
public struct Place: Sendable {
  /// The environment variable that names a hub if no option does.
  public static let variable = "AGENTPIPES_HUB"

  /// The hub; nil for this machine.
  public let hub: HubPeer?
  private let surroundings: any Surroundings
  private static let waiting = Blocking("place")

  /// Finds the place that a tool was given.
  ///
  /// - Parameters:
  ///   - word: A hub's URL or its name in the configuration; nil for `AGENTPIPES_HUB`, or this
  ///     machine if that is not set.
  ///   - isHere: `true` to use this machine and ignore any named hub.
  ///   - surroundings: The environment of the tool.
  /// - Throws: As `HubChoice.named`; `BadConfiguration`.
  public init(
    _ word: String?, isHere: Bool = false, _ surroundings: any Surroundings
  ) throws(Failure) {
    self.surroundings = surroundings
    let given = surroundings.environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    hub = try (isHere ? nil : word ?? given).map { (word) throws(Failure) in
      let settings = try surroundings.configuration()
      return try HubPeer(
        named: word, in: settings, keys: surroundings.keys(settings),
        directories: surroundings.directories)
    }
  }

  /// The directories of this machine.
  public var directories: Directories { surroundings.directories }

  /// The signal that the process is to end.
  public var interruption: Interruption { surroundings.interruption }

  /// Receives notices of problems.
  public var note: Note { { [surroundings] (notice) in surroundings.report(notice) } }

  /// The limits of decisions and controls on this machine.
  public var limits: @Sendable () throws(Failure) -> ActionLimits {
    { [surroundings] () throws(Failure) in try surroundings.configuration().limits }
  }

  /// Creates something that only this machine needs, since a hub has its own.
  ///
  /// - Returns: The result; nil at a hub.
  /// - Throws: What `make` throws.
  public func here<Value, Problem: Error>(
    _ make: () throws(Problem) -> Value?
  ) throws(Problem) -> Value? {
    hub == nil ? try make() : nil
  }

  /// Runs work that may wait for the network on a thread that may block.
  ///
  /// - Returns: The result of the work.
  /// - Throws: What the work throws.
  public func wait<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await Self.waiting.run(work)
  }

  /// Returns the place of a hub with a URL.
  ///
  /// - Throws: As `HubChoice.named`; `BadConfiguration`.
  public func hub(at url: String) throws(Failure) -> Place { try Place(url, surroundings) }

  /// Returns the gates of a store as the hub decides them; nil on this machine, and at a hub that
  /// has the same store.
  ///
  /// - Throws: As `KeyStore.find`.
  public func gates(_ store: Store) throws(Failure) -> HubGates? {
    guard let hub, !(try hub.isOwn()) else { return nil }
    return HubGates(hub, store: store, note: note)
  }

  /// Fetches the decision at a gate from the hub that owns it, if that is not this place's hub.
  ///
  /// - Throws: `StorageFailed`; `BadConfiguration`.
  public func refreshGate(_ gateId: String, in store: Store) async throws(Failure) {
    guard let owner = try store.hub(ofGate: gateId), owner.isOwner, owner.url != hub?.hub.url
    else { return }
    await (try hub(at: owner.url).gates(store))?.refresh(gateId)
  }

  /// Sends hubs every local decision at gates that were offered to them.
  ///
  /// An unreachable hub receives the decisions in a later call.
  ///
  /// - Throws: `StorageFailed`; `BadConfiguration`.
  public func sendDecisions() async throws(Failure) {
    guard let store = try Store(existingIn: directories) else { return }
    for url in try store.unreportedHubs() { await (try hub(at: url).gates(store))?.sendDecisions() }
  }

  /// Creates the sink for the tool's events.
  public func sink() -> any EventSink {
    guard let hub else { return EventJournal(directories, note: note) }
    return HubOutbox(hub, directories, note: note)
  }

  /// Creates the reader of the place's events.
  ///
  /// - Parameters:
  ///   - sockets: Connects to a hub if its URL is a WebSocket URL.
  ///   - lost: Receives the reason each time a connection is lost.
  /// - Returns: The reader.
  public func events(
    sockets: @escaping (HubCall) throws(Failure) -> any HubLine, lost: @escaping (Failure) -> Void
  ) -> any PlaceEvents {
    guard let hub else { return LogEvents(directories, interruption) }
    return HubEvents(hub, interruption, sockets: sockets, lost: lost)
  }
}
