public import Core
public import Events
public import Keys
import Requests
public import Storage

/// The place where a tool asks, changes and tells: this machine, or a hub.
///
/// It is asked for what asks (`HubQuestions` has the questions and the changes), and nobody else needs to
/// know which of the two it is.
public struct Place: Sendable {
  /// The environment variable that names a hub where no option does.
  public static let variable = "AGENTPIPES_HUB"

  /// The hub; nil for this machine.
  public let hub: HubPeer?
  private let surroundings: any Surroundings
  private static let waiting = Blocking("place")

  /// Finds the place that is meant.
  ///
  /// - Parameters:
  ///   - word: A hub's URL, or its name in the configuration; without one `AGENTPIPES_HUB` tells it,
  ///     else it is this machine.
  ///   - isHere: `true` for this machine, whatever is named.
  ///   - surroundings: What the tool runs in.
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

  /// Tells when the process is to end.
  public var interruption: Interruption { surroundings.interruption }

  /// Takes notices of what goes wrong.
  public var note: Note { { [surroundings] (notice) in surroundings.note(notice) } }

  /// The limits of deciding and steering here.
  public var limits: @Sendable () throws(Failure) -> ActionLimits {
    { [surroundings] () throws(Failure) in try surroundings.configuration().limits }
  }

  /// Makes what only this machine needs, since a hub has its own.
  ///
  /// - Returns: What was made; nil at a hub.
  /// - Throws: What `make` throws.
  public func here<Value, Problem: Error>(
    _ make: () throws(Problem) -> Value?
  ) throws(Problem) -> Value? {
    hub == nil ? try make() : nil
  }

  /// Does something that may wait for the network, on a thread that may.
  ///
  /// - Returns: What that comes to.
  /// - Throws: What it throws.
  public func wait<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await Self.waiting.run(work)
  }

  /// Finds the place of a hub, by its URL.
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

  /// Asks another place's hub once for its decision at a gate that it owns.
  ///
  /// - Throws: `StorageFailed`; `BadConfiguration`.
  public func look(at gateId: String, in store: Store) async throws(Failure) {
    guard let owner = try store.hub(ofGate: gateId), owner.isOwner, owner.url != hub?.hub.url
    else { return }
    await (try hub(at: owner.url).gates(store))?.look(at: gateId)
  }

  /// Tells hubs every decision that was made here at gates that were offered to them.
  ///
  /// A hub that is away is told another time.
  ///
  /// - Throws: `StorageFailed`; `BadConfiguration`.
  public func tellDecisions() async throws(Failure) {
    guard let store = try Store(existingIn: directories) else { return }
    for url in try store.untoldHubs() { await (try hub(at: url).gates(store))?.tellAll() }
  }

  /// Makes what takes the events of the tool.
  public func sink() -> any EventSink {
    guard let hub else { return EventJournal(directories, note: note) }
    return HubOutbox(hub, directories, note: note)
  }

  /// Makes what gives the events of the place.
  ///
  /// - Parameters:
  ///   - sockets: Connects to a hub whose URL is one of a WebSocket.
  ///   - lost: Is told why, each time that a connection is lost.
  /// - Returns: What is read.
  public func events(
    sockets: @escaping (HubCall) throws(Failure) -> any HubLine, lost: @escaping (Failure) -> Void
  ) -> any PlaceEvents {
    guard let hub else { return LogEvents(directories, interruption) }
    return HubEvents(hub, interruption, sockets: sockets, lost: lost)
  }
}
