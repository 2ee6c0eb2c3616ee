public import Core
public import HTTP
public import Keys
import Synchronization

/// The hubs that a tool uses: one hub, or several that share their records.
///
/// Requests go to the first hub of the list until it is unavailable. Then the other hubs are tried
/// in turn, and the group stays with the one that answers. A refusal is an answer, so no other hub
/// is tried. All copies of a group use the same hub.
public struct HubGroup: Sendable {
  /// The URLs of the hubs in alphabetical order, separated by commas.
  ///
  /// They identify the group in stored records, so that the order of the list may change.
  public let name: String
  private var peers: [HubPeer]
  private let current = CurrentHub()

  /// The longest waits for one of several hubs, in seconds: to connect, and for an answer.
  private static let longest = (connect: 2.0, idle: 10.0)

  /// Creates a client without contacting the hubs.
  ///
  /// - Parameters:
  ///   - first: The hub that is used first.
  ///   - others: The other hubs, which share the records of the first.
  ///   - keys: The store of the hubs' tokens.
  ///   - directories: The directories with the operator's token and the locks.
  public init(
    _ first: HubChoice, _ others: [HubChoice] = [], keys: KeyStore, directories: Directories
  ) {
    let hubs = [first] + others
    let client = HTTPClient()
    peers = hubs.map {
      HubPeer($0, of: hubs, keys: keys, directories: directories, client: client)
    }
    name = Set(hubs.map(\.url)).sorted().joined(separator: ",")
    timeouts = peers[0].timeouts
  }

  /// Creates a client for the hubs that the given words name.
  ///
  /// - Parameters:
  ///   - words: The hubs, separated by commas: URLs, or names in the configuration.
  ///   - settings: The configuration.
  ///   - keys: The store of the hubs' tokens.
  ///   - directories: The directories with the operator's token and the locks.
  /// - Throws: As `HubChoice.named`.
  public init(
    named words: String, in settings: Settings, keys: KeyStore, directories: Directories
  ) throws(Failure) {
    let words = words.split(separator: ",", omittingEmptySubsequences: false)
    let hubs = try words.map { (word) throws(Failure) in
      try HubChoice.named(String(word), among: settings.hubs)
    }
    self.init(hubs[0], Array(hubs.dropFirst()), keys: keys, directories: directories)
  }

  /// The hubs, in the order of the list.
  public var hubs: [HubChoice] { peers.map(\.hub) }

  /// The hub to which requests go now.
  public var hub: HubChoice { peers[current.index].hub }

  /// The time limits of a request to one hub.
  public var timeouts: HTTPTimeouts {
    get { peers[0].timeouts }
    set {
      var limits = newValue
      if peers.count > 1 {
        limits.connect = min(limits.connect, Self.longest.connect)
        limits.idle = min(limits.idle, Self.longest.idle)
      }
      for index in peers.indices { peers[index].timeouts = limits }
    }
  }

  /// The time after which a request reaches the last hub if no other accepts a connection, in
  /// seconds.
  public var detour: Double { Double(peers.count - 1) * Self.longest.connect }

  /// Returns `true` if the hub uses the same directories, and so the same store, as this process.
  ///
  /// Hubs that share their records do not.
  ///
  /// - Throws: As `HubPeer.isOwn`.
  func isOwn() throws(Failure) -> Bool {
    guard peers.count == 1 else { return false }
    return try peers[0].isOwn()
  }

  // MARK: Requests

  /// Sends a GET request; see `HubPeer`.
  ///
  /// - Returns: The response body.
  /// - Throws: The failure that the response reports; a failure that names each hub if none
  ///   answers.
  public func get(
    _ path: String, query: [(name: String, value: String)] = []
  ) async throws(Failure) -> [UInt8] {
    try await outcome("GET", path + HubPeer.text(of: query)).get()
  }

  /// Sends a request; see `HubPeer`.
  ///
  /// Several hubs may receive it, and act on it once: an id in its body shows that it is the same.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path and query.
  ///   - body: The request body; nil for none.
  ///   - contentType: The body's media type.
  /// - Returns: The response body, and the failure that the response reports.
  /// - Throws: A failure that names each hub if none answers; `AuthExpired` if the hub refuses the
  ///   token.
  public func outcome(
    _ method: String, _ path: String, body: [UInt8]? = nil,
    contentType: String = "application/json"
  ) async throws(Failure) -> HubOutcome {
    try await ask { (peer) async throws(Failure) in
      let outcome = try await peer.outcome(method, path, body: body, contentType: contentType)
      if let failure = outcome.failure, failure.showsUnavailableHub { throw failure }
      return outcome
    }
  }

  /// Reads a stream of server-sent events to its end.
  ///
  /// If the connection is lost, another hub is tried. If requests have moved to another hub, the
  /// stream ends, because a run is steered by the hub that it reports to.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - query: The names and values. They must not be encoded.
  ///   - receive: Receives each event, and nil for any other sign of life.
  /// - Throws: As ``outcome(_:_:body:contentType:)``.
  func follow(
    _ path: String, query: [(name: String, value: String)],
    _ receive: (ServerSentEvent?) -> Void
  ) async throws(Failure) {
    var round = HubRound(peers, current)
    while true {
      let peer = round.peer
      var isConnected = false
      do throws(Failure) {
        return try await peer.follow(path, query: query) { event in
          if !isConnected { round.stay() }
          isConnected = true
          receive(event)
          return hub == peer.hub
        }
      } catch {
        try round.goOn(after: error)
      }
    }
  }

  // MARK: Order

  /// Runs the given work with the current hub, and with the other hubs in turn while none answers.
  ///
  /// - Returns: The result of the work.
  /// - Throws: The failure of a hub that refuses; a failure that names each hub if none answers.
  private func ask<Value>(
    _ work: (HubPeer) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    var round = HubRound(peers, current)
    while true {
      do throws(Failure) {
        let value = try await work(round.peer)
        round.stay()
        return value
      } catch {
        try round.goOn(after: error)
      }
    }
  }

  /// Opens a connection as ``ask(_:)`` sends a request, on a thread that may block.
  func connect<Line>(
    _ open: (HubPeer) throws(Failure) -> Line
  ) throws(Failure) -> Line {
    var round = HubRound(peers, current)
    while true {
      do throws(Failure) {
        let line = try open(round.peer)
        round.stay()
        return line
      } catch {
        try round.goOn(after: error)
      }
    }
  }
}
