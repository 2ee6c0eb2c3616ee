public import Core
public import Events
import Foundation
import HubWords

/// What a hub's log has, as a source of events: page by page, to its end.
///
/// It waits for answers of the network, so it must not be read on a thread of Swift's pool.
public final class HubPages: EventSource {
  /// The hub's URL.
  public let name: String
  private let peer: HubPeer
  private let subscription: HubSubscription
  private let interruption: Interruption?
  private let newest: Int?
  /// The id of the last event that the hub looked at; nil before the first answer.
  public private(set) var lastId: String?
  private var waiting: ArraySlice<UInt8> = []
  private var isAtEnd = false

  /// The largest number of events that a hub is asked for at once.
  private static let most = 10_000

  /// Reads from a hub.
  ///
  /// - Parameters:
  ///   - peer: The hub.
  ///   - subscription: What is wanted.
  ///   - newest: The number of events that are wanted, of the newest; nil for all.
  ///   - interruption: Ends a wait.
  public init(
    _ peer: HubPeer, _ subscription: HubSubscription, last newest: Int? = nil,
    interruption: Interruption? = nil
  ) {
    self.interruption = interruption
    self.newest = newest
    self.peer = peer
    self.subscription = subscription
    lastId = subscription.after
    name = peer.hub.url
  }

  /// There is always something, or the end; see ``EventSource``.
  public func isReady(within milliseconds: Int32) throws(Failure) -> Bool { true }

  /// Reads whole lines as far as there is room; see ``EventSource``.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    while waiting.isEmpty, !isAtEnd { try fill() }
    let count = min(waiting.count, buffer.count)
    buffer.copyBytes(from: waiting.prefix(count))
    waiting = waiting.dropFirst(count)
    return count
  }

  private func fill() throws(Failure) {
    let count = newest.map { ("last", "\(min($0, Self.most))") } ?? ("limit", "1000")
    let query = subscription.query + [count] + (lastId.map { [("after", $0)] } ?? [])
    let peer = peer
    let body = try Waiting.run(interruption) { () async throws(Failure) in
      try await peer.get("/v1/events", query: query)
    }
    guard let page = try? EventPage(json: body) else {
      throw Failure(.invalidResponse, "'\(name)' did not answer with events", url: name)
    }
    waiting = []
    for line in [page.gap].compactMap(\.self) + page.events {
      waiting += Array(line.json.utf8) + [0x0A]
    }
    isAtEnd = newest != nil || page.lastId == nil || page.lastId == lastId
    lastId = page.lastId
  }
}
