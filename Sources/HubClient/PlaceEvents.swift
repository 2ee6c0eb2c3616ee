public import Core
public import Events
public import Storage

/// A reader of the events at a place: this machine or a hub.
public protocol PlaceEvents {
  /// `true` if events may be lost in transit.
  ///
  /// The reader then always needs gap records.
  var mayLose: Bool { get }
  /// Returns the known ids of the given kind, so that abbreviated ids can be completed.
  ///
  /// It is empty if ids must be given in full.
  func ids(_ kind: StoredNames.Kind) throws(Failure) -> [String]
  /// Opens the event sources one after the other.
  ///
  /// Each is passed to `take`, which reads it to its end.
  func read(
    _ wish: EventWish, _ receive: (any EventSource) throws(Failure) -> Void
  ) throws(Failure)
  /// Returns the ids in the given filter that occur in no event; none if that cannot be determined.
  func unknown(_ filter: EventFilter, hasEvents: Bool) -> [(kind: String, id: String)]
}

/// A request for events at a place.
public struct EventWish: Sendable {
  /// The filter.
  public var filter: EventFilter
  /// `true` to request future events as well.
  public var follows = false
  /// The id of the event after which reading begins; nil for the default.
  public var after: String?
  /// The number of newest stored events that are read; nil for all stored events.
  public var last: Int?
  /// The largest number of events that a hub sends per second.
  public var perSecond = HubSubscription.mostPerSecond

  /// Creates a request for all stored events that match the given filter.
  public init(_ filter: EventFilter) { self.filter = filter }
}

/// The events of this machine's log.
final class LogEvents: PlaceEvents {
  let mayLose = false
  private let directories: Directories
  private let interruption: Interruption
  /// The journal that all reads use, because opening a log wakes the processes that follow it.
  private let journal: EventJournal

  init(_ directories: Directories, _ interruption: Interruption) {
    (self.directories, self.interruption) = (directories, interruption)
    journal = EventJournal(directories)
  }

  func ids(_ kind: StoredNames.Kind) throws(Failure) -> [String] {
    StoredNames(directories).ids(kind)
  }

  func read(
    _ wish: EventWish, _ receive: (any EventSource) throws(Failure) -> Void
  ) throws(Failure) {
    try receive(
      try LogSource(
        journal, after: wish.after, follows: wish.follows, interruption: interruption))
  }

  func unknown(_ filter: EventFilter, hasEvents: Bool) -> [(kind: String, id: String)] {
    UnknownIds(filter, in: journal).find(hasEvents: hasEvents)
  }
}

/// The events of a hub.
final class HubEvents: PlaceEvents {
  let mayLose = true
  private let hubs: HubGroup
  private let interruption: Interruption
  private let sockets: (HubCall) throws(Failure) -> any HubLine
  private let lost: (Failure) -> Void

  init(
    _ hubs: HubGroup, _ interruption: Interruption,
    sockets: @escaping (HubCall) throws(Failure) -> any HubLine, lost: @escaping (Failure) -> Void
  ) {
    (self.hubs, self.interruption) = (hubs, interruption)
    (self.sockets, self.lost) = (sockets, lost)
  }

  func ids(_ kind: StoredNames.Kind) throws(Failure) -> [String] {
    let lists: [StoredNames.Kind: (path: String, list: String)] = [
      .swarm: ("swarms", "swarms"), .agent: ("agents", "agents"),
      .incident: ("incidents?status=all", "incidents"),
    ]
    guard let (path, list) = lists[kind] else { return [] }
    let hubs = hubs
    let body = try Waiting.run(interruption) { () async throws(Failure) in
      try await hubs.get("/v1/" + path)
    }
    return JSONObject(body)?.objects(list).compactMap { $0.string("id") } ?? []
  }

  func read(
    _ wish: EventWish, _ receive: (any EventSource) throws(Failure) -> Void
  ) throws(Failure) {
    var wanted = HubSubscription(wish.filter, perSecond: wish.perSecond, after: wish.after)
    if !wish.follows || (wish.after == nil && wish.last != 0) {
      let past = HubPages(
        hubs, wanted, last: wish.follows ? wish.last : nil, interruption: interruption)
      try receive(past)
      // The failure of a page was reported; connecting would report it again.
      guard past.isAtEnd else { return }
      wanted.after = past.lastId
    }
    guard wish.follows else { return }
    try receive(
      HubStream(hubs, wanted, interruption: interruption, connect: connect, lost: lost))
  }

  /// Opens the stream with the protocol that the hub's URL selects.
  private func connect(_ call: HubCall) throws(Failure) -> any HubLine {
    call.hub.wantsWebSocket ? try sockets(call) : try HubFeed(call)
  }

  func unknown(_ filter: EventFilter, hasEvents: Bool) -> [(kind: String, id: String)] { [] }
}
