public import Core
public import Events
import Foundation
import HTTP

/// An endless event source that reads a hub's live stream.
///
/// After a loss, it reconnects, to another hub of the group if need be, and resumes after the last
/// delivered event. Reading waits for the network, so it must not run on a thread of Swift's
/// concurrency pool.
public final class HubStream: EventSource {
  /// The URL of the hub, or the URLs of its group.
  public let name: String
  private let hubs: HubGroup
  private let subscription: HubSubscription
  private let interruption: Interruption
  private let lost: (Failure) -> Void
  private let connect: (HubCall) throws(Failure) -> any HubLine
  private var line: (any HubLine)?
  private var connectedAt: ContinuousClock.Instant?
  /// `true` from the first connection on, until a loss is reported.
  private var isConnected = false
  /// The id of the last delivered event.
  private var last: String?
  private var waiting: ArraySlice<UInt8> = []
  private var backoff = Backoff(first: 0.5, longest: longestPause)

  /// The longest pause before an attempt to connect, in seconds.
  private static let longestPause = 30.0
  /// The number of seconds after which a connection counts as healthy.
  ///
  /// The loss of a healthy connection resets the backoff.
  private static let healthy = 10.0

  /// Creates a source for the stream of the given hub.
  ///
  /// The first read connects.
  ///
  /// - Parameters:
  ///   - hubs: The hub or its group.
  ///   - subscription: The filter and the starting point.
  ///   - interruption: The signal that ends waits.
  ///   - connect: Opens a connection; by default, a connection with server-sent events.
  ///   - lost: Receives the reason each time a connection is lost.
  public init(
    _ hubs: HubGroup, _ subscription: HubSubscription, interruption: Interruption,
    connect: @escaping (HubCall) throws(Failure) -> any HubLine = {
      (call) throws(Failure) -> any HubLine in try HubFeed(call)
    }, lost: @escaping (Failure) -> Void
  ) {
    self.hubs = hubs
    self.subscription = subscription
    self.interruption = interruption
    self.connect = connect
    self.lost = lost
    last = subscription.after
    name = hubs.name
  }

  /// Waits until an event arrives; see ``EventSource``.
  public func isReady(within milliseconds: Int32) throws(Failure) -> Bool {
    let end = ContinuousClock.now + .milliseconds(Int64(max(0, milliseconds)))
    while waiting.isEmpty {
      let left = (end - .now) / .milliseconds(1)
      let wait = milliseconds < 0 ? 1000 : Int32(clamping: Int64(max(0, left)))
      try step(within: min(wait, 1000))
      if milliseconds >= 0, waiting.isEmpty, ContinuousClock.now >= end { return false }
    }
    return true
  }

  /// Reads lines of events, at most as many bytes as the buffer holds; see ``EventSource``.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    _ = try isReady(within: -1)
    let count = min(waiting.count, buffer.count)
    buffer.copyBytes(from: waiting.prefix(count))
    waiting = waiting.dropFirst(count)
    return count
  }

  /// Reads from the connection; connects first if there is none.
  private func step(within milliseconds: Int32) throws(Failure) {
    do throws(Failure) {
      if line == nil { line = try connected() }
      guard let line else { return }
      let lines = try line.lines(within: milliseconds)
      // A later connection resumes from this event.
      if last == nil { last = line.start }
      try receive(lines)
    } catch {
      line?.close()
      line = nil
      // If no connection ever succeeded, the URL may be wrong, and retrying would hide that.
      guard connectedAt != nil, Self.passes(error) else { throw error }
      if isConnected { lost(error) }
      try rest(after: error)
    }
  }

  /// Returns `true` if the given failure may be temporary.
  ///
  /// Another attempt may then succeed.
  private static func passes(_ failure: Failure) -> Bool {
    switch failure.code {
    case .networkUnavailable, .timeout, .serverError, .overloaded, .streamInterrupted,
      .rateLimited, .storageFailed:
      true
    // A head that was cut off is reported like a malformed head.
    case .invalidResponse: failure.kind == .protocol
    default: false
    }
  }

  /// Waits before the next attempt to connect.
  ///
  /// The wait is a random part of the backoff, but at least as long as the hub demands.
  private func rest(after failure: Failure) throws(Failure) {
    let lived = connectedAt.map { ContinuousClock.now - $0 } ?? .zero
    if isConnected, lived > .seconds(Self.healthy) { backoff.reset() }
    isConnected = false
    backoff.grow()
    let asked = min(failure.retryAfterSeconds ?? 0, Self.longestPause)
    let seconds = max(Double.random(in: 0...backoff.seconds), asked)
    var nothing: [pollfd] = []
    try interruption.wait(for: &nothing, within: Int32(seconds * 1000))
  }

  private func connected() throws(Failure) -> any HubLine {
    let line = try hubs.connect { (peer) throws(Failure) in try connected(to: peer) }
    connectedAt = .now
    isConnected = true
    return line
  }

  private func connected(to peer: HubPeer) throws(Failure) -> any HubLine {
    let authorization = try Waiting.run(interruption) { () async throws(Failure) in
      try await peer.authorization()
    }
    do throws(Failure) {
      return try open(peer, authorization)
    } catch {
      guard error.code == .authExpired else { throw error }
      let renewed = try Waiting.run(interruption) { () async throws(Failure) in
        try await peer.authorization(insteadOf: authorization)
      }
      guard renewed != authorization else { throw error }
      return try open(peer, renewed)
    }
  }

  private func open(_ peer: HubPeer, _ authorization: String) throws(Failure) -> any HubLine {
    try connect(
      HubCall(
        hub: peer.hub, authorization: authorization, subscription: subscription, last: last,
        interruption: interruption, connect: peer.timeouts.connect))
  }

  /// Buffers the given lines, except lines of events that were already delivered.
  private func receive(_ bytes: [UInt8]) throws(Failure) {
    let pack = EventPack(bytes.split(separator: 0x0A))
    for entry in pack.entries {
      let line = pack.line(entry)
      // Error records and malformed lines are exempt too.
      if entry.isExempt { try refuse(Array(line)) }
      if let id = pack.id(entry) {
        guard isNew(pack.position(entry)) else { continue }
        last = String(decoding: id, as: UTF8.self)
      }
      waiting += line
      waiting.append(0x0A)
    }
  }

  /// Checks the given line.
  ///
  /// - Throws: A failure if the line is not a record, or if it is the error record with which the
  ///   hub ends the stream.
  private func refuse(_ line: [UInt8]) throws(Failure) {
    guard let record = try? RawRecord(line: line, source: name) else {
      throw Failure(.invalidResponse, "'\(name)' sent an invalid record", url: name)
    }
    if record.type == ErrorRecord.type { throw try ErrorRecord(record).failure }
  }

  /// Returns `true` if the event at the given position was not delivered yet.
  ///
  /// A hub may repeat events.
  private func isNew(_ position: EventPosition?) -> Bool {
    guard let before = last.flatMap({ EventPosition($0) }), let position,
      before.epoch == position.epoch
    else { return true }
    return position.sequence > before.sequence
  }
}
