public import Core
public import Events
public import Storage

/// Reads the events of a place: of the log of this machine, or of a hub.
public protocol PlaceEvents {
  /// `true` if events may be lost on the way, so that reports of that are wanted in any case.
  var mayLose: Bool { get }
  /// Lists the ids of a kind that may be named by a part; none where they have to be whole.
  func ids(_ kind: StoredNames.Kind) throws(Failure) -> [String]
  /// Opens what is to be read, one source after the other, each read to its end before the next.
  func read(
    _ wish: EventWish, _ take: (any EventSource) throws(Failure) -> Void
  ) throws(Failure)
  /// Finds which of the ids that a filter wants no event is about, where that can be told.
  func unknown(_ filter: EventFilter, hasEvents: Bool) -> [(kind: String, id: String)]
}

/// The events that are wanted of a place.
public struct EventWish: Sendable {
  /// The conditions.
  public var filter: EventFilter
  /// `true` if events from now on are wanted, too.
  public var follows = false
  /// Only what came after this event.
  public var after: String?
  /// So many of those that there are, the newest; nil for all.
  public var last: Int?
  /// The most events a second that a hub is to send.
  public var perSecond = HubSubscription.mostPerSecond

  /// Wants all that there is.
  public init(_ filter: EventFilter) { self.filter = filter }
}

/// The events of this machine's log.
final class LogEvents: PlaceEvents {
  let mayLose = false
  private let directories: Directories
  private let interruption: Interruption
  /// One for all: who opens the log wakes those who follow it.
  private let journal: EventJournal

  init(_ directories: Directories, _ interruption: Interruption) {
    (self.directories, self.interruption) = (directories, interruption)
    journal = EventJournal(directories)
  }

  func ids(_ kind: StoredNames.Kind) throws(Failure) -> [String] {
    StoredNames(directories).ids(kind)
  }

  func read(
    _ wish: EventWish, _ take: (any EventSource) throws(Failure) -> Void
  ) throws(Failure) {
    try take(
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
  private let peer: HubPeer
  private let interruption: Interruption
  private let sockets: (HubCall) throws(Failure) -> any HubLine
  private let lost: (Failure) -> Void

  init(
    _ peer: HubPeer, _ interruption: Interruption,
    sockets: @escaping (HubCall) throws(Failure) -> any HubLine, lost: @escaping (Failure) -> Void
  ) {
    (self.peer, self.interruption) = (peer, interruption)
    (self.sockets, self.lost) = (sockets, lost)
  }

  func ids(_ kind: StoredNames.Kind) throws(Failure) -> [String] {
    let lists: [StoredNames.Kind: (path: String, list: String)] = [
      .swarm: ("swarms", "swarms"), .agent: ("agents", "agents"),
      .incident: ("incidents?status=all", "incidents"),
    ]
    guard let (path, list) = lists[kind] else { return [] }
    let peer = peer
    let body = try Waiting.run(interruption) { () async throws(Failure) in
      try await peer.get("/v1/" + path)
    }
    return JSONObject(body)?.objects(list).compactMap { $0.string("id") } ?? []
  }

  func read(
    _ wish: EventWish, _ take: (any EventSource) throws(Failure) -> Void
  ) throws(Failure) {
    var wanted = HubSubscription(wish.filter, perSecond: wish.perSecond, after: wish.after)
    if !wish.follows || (wish.after == nil && wish.last != 0) {
      let past = HubPages(
        peer, wanted, last: wish.follows ? wish.last : nil, interruption: interruption)
      try take(past)
      wanted.after = past.lastId
    }
    guard wish.follows else { return }
    try take(
      HubStream(peer, wanted, interruption: interruption, connect: connect, lost: lost))
  }

  /// Follows the stream as the URL tells.
  private func connect(_ call: HubCall) throws(Failure) -> any HubLine {
    call.hub.wantsWebSocket ? try sockets(call) : try HubFeed(call)
  }

  func unknown(_ filter: EventFilter, hasEvents: Bool) -> [(kind: String, id: String)] { [] }
}
