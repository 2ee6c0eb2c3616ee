public import Core
public import Events
public import Keys
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
  ///   - surroundings: What the tool runs in.
  /// - Throws: As `HubChoice.named`; `BadConfiguration`.
  public init(_ word: String?, _ surroundings: any Surroundings) throws(Failure) {
    self.surroundings = surroundings
    let given = surroundings.environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    hub = try (word ?? given).map { (word) throws(Failure) in
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

  /// Waits for the decision at a gate of this machine, which at a hub's may be made there, too.
  ///
  /// - Parameters:
  ///   - gateId: The gate.
  ///   - store: Where it is.
  ///   - here: Waits for the decision in the store.
  /// - Returns: What `here` gives, or what was decided at the hub before.
  /// - Throws: What `here` throws.
  public func decision(
    gateId: String, store: Store, _ here: () async throws(Failure) -> ApprovalGate?
  ) async throws(Failure) -> ApprovalGate? {
    guard let hub else { return try await here() }
    return try await HubGates(hub, store: store).decision(gateId: gateId, here)
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
