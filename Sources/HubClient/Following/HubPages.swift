public import Core
public import Events
import Foundation
import HubWords

/// An event source that reads the log of a hub to its end, page by page.
///
/// Reading waits for the network, so it must not run on a thread of Swift's concurrency pool.
public final class HubPages: EventSource {
  /// The URL of the hub, or the URLs of its group.
  public let name: String
  private let hubs: HubGroup
  private let subscription: HubSubscription
  private let interruption: Interruption?
  private let newest: Int?
  /// The id of the last event that the hub examined; nil before the first response.
  public private(set) var lastId: String?
  private var waiting: ArraySlice<UInt8> = []
  /// `true` if the log was read to its end; `false` if a request failed.
  private(set) var isAtEnd = false

  /// The largest number of events in one request.
  private static let most = 10_000

  /// Creates a source for the log of the given hub.
  ///
  /// - Parameters:
  ///   - hubs: The hub or its group.
  ///   - subscription: The filter and the starting point.
  ///   - newest: The number of newest events that are read; nil for all events.
  ///   - interruption: The signal that ends waits.
  public init(
    _ hubs: HubGroup, _ subscription: HubSubscription, last newest: Int? = nil,
    interruption: Interruption? = nil
  ) {
    self.interruption = interruption
    self.newest = newest
    self.hubs = hubs
    self.subscription = subscription
    lastId = subscription.after
    name = hubs.name
  }

  /// Always returns `true`, because a read returns bytes or reaches the end; see ``EventSource``.
  public func isReady(within milliseconds: Int32) throws(Failure) -> Bool { true }

  /// Reads lines of events, at most as many bytes as the buffer holds; see ``EventSource``.
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
    let hubs = hubs
    let body = try Waiting.run(interruption) { () async throws(Failure) in
      try await hubs.get("/v1/events", query: query)
    }
    guard let page = try? EventPage(json: body) else {
      throw Failure(
        .invalidResponse, "the response from '\(name)' is not a list of events", url: name)
    }
    waiting = []
    for line in [page.gap].compactMap(\.self) + page.events {
      waiting += Array(line.json.utf8) + [0x0A]
    }
    isAtEnd = newest != nil || page.lastId == nil || page.lastId == lastId
    lastId = page.lastId
  }
}
