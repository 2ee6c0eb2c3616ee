public import Core
public import Events
import Foundation
import WebSocket

/// A hub's live stream, as a source of events without an end: after a loss it connects again and goes
/// on after the last event that it gave.
///
/// It waits for the network, so it must not be read on a thread of Swift's pool.
public final class HubStream: EventSource {
  /// The hub's URL.
  public let name: String
  private let peer: HubPeer
  private let subscription: HubSubscription
  private let interruption: Interruption
  private let lost: (Failure) -> Void
  private var session: WebSocketSession?
  private var connectedAt: ContinuousClock.Instant?
  /// The last event that was given.
  private var last: String?
  private var waiting: ArraySlice<UInt8> = []
  private var pause = 0.0

  /// The hub tells that it lives every 15 seconds; after three times that it does not.
  private static let silence = Duration.seconds(45)
  /// Pauses grow from the first to the second, in seconds, and begin anew after the third.
  private static let pauses = (first: 0.5, longest: 30.0, healthy: 10.0)

  /// Follows a hub's stream; the connection is made when it is read first.
  ///
  /// - Parameters:
  ///   - peer: The hub.
  ///   - subscription: What is wanted.
  ///   - interruption: Ends a wait.
  ///   - lost: Is told why, each time that a connection is lost.
  public init(
    _ peer: HubPeer, _ subscription: HubSubscription, interruption: Interruption,
    lost: @escaping (Failure) -> Void
  ) {
    self.peer = peer
    self.subscription = subscription
    self.interruption = interruption
    self.lost = lost
    last = subscription.after
    name = peer.hub.url
  }

  /// Waits until an event came; see ``EventSource``.
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

  /// Reads whole lines as far as there is room; see ``EventSource``.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    _ = try isReady(within: -1)
    let count = min(waiting.count, buffer.count)
    buffer.copyBytes(from: waiting.prefix(count))
    waiting = waiting.dropFirst(count)
    return count
  }

  /// Takes one message, or makes the connection that it comes by.
  private func step(within milliseconds: Int32) throws(Failure) {
    do throws(Failure) {
      if session == nil { session = try connected() }
      guard let session else { return }
      switch try session.receive(within: milliseconds) {
      case .text(let text): try take(text, from: session)
      case .closed(let closure): throw Self.failure(closure.code, closure.reason, name)
      case .binary, .pong: break
      case nil:
        guard ContinuousClock.now - session.lastHeard < Self.silence else {
          throw Failure(.networkUnavailable, "'\(name)' is silent", kind: .timeout, url: name)
        }
      }
    } catch {
      session?.close(within: 0)
      session = nil
      // Who never was connected may have named another place.
      guard connectedAt != nil, Self.passes(error) else { throw error }
      lost(error)
      try rest()
    }
  }

  /// Whether connecting again may help.
  private static func passes(_ failure: Failure) -> Bool {
    switch failure.code {
    case .networkUnavailable, .timeout, .serverError, .overloaded, .streamInterrupted,
      .rateLimited, .storageFailed:
      true
    default: false
    }
  }

  private func rest() throws(Failure) {
    if let connectedAt, ContinuousClock.now - connectedAt > .seconds(Self.pauses.healthy) {
      pause = 0
    }
    pause = min(max(Self.pauses.first, pause * 2), Self.pauses.longest)
    var nothing: [pollfd] = []
    try interruption.wait(
      for: &nothing, within: Int32(pause * Double.random(in: 0.5...1) * 1000))
  }

  private func connected() throws(Failure) -> WebSocketSession {
    let peer = peer
    var authorization = try Waiting.run { () async throws(Failure) in
      try await peer.authorization()
    }
    do throws(Failure) {
      return try open(authorization)
    } catch {
      guard error.code == .authExpired else { throw error }
      let refused = authorization
      authorization = try Waiting.run { () async throws(Failure) in
        try await peer.authorization(insteadOf: refused)
      }
      guard authorization != refused else { throw error }
      return try open(authorization)
    }
  }

  private func open(_ authorization: String) throws(Failure) -> WebSocketSession {
    let url = "ws" + name.dropFirst("http".count) + "/v1/stream?protocol=1"
    let session = try WebSocketClient.connect(
      to: url, headers: [("Authorization", authorization)], interruption: interruption)
    connectedAt = .now
    try session.send(
      text: try subscription.message(requestId: Identifier.make(), after: last))
    return session
  }

  /// Takes the lines of a message: events, and what the hub has to say of the connection.
  private func take(_ text: [UInt8], from session: WebSocketSession) throws(Failure) {
    var lines: [UInt8] = []
    for line in text.split(separator: 0x0A) {
      guard let record = RawRecord(object: String(decoding: line, as: UTF8.self)),
        let type = record.string("type")
      else {
        throw Failure(.invalidResponse, "'\(name)' sent what is no record", url: name)
      }
      switch type {
      case "ping":
        try session.send(text: "{\"id\":\(record.json("id") ?? "null"),\"type\":\"pong\"}")
      case "subscribed":
        // From now on a loss is told from here.
        if last == nil { last = record.string("lastEventId") }
      case "pong", "unsubscribed", "throttled": break
      case ErrorRecord.type:
        throw try ErrorRecord(RawRecord(line: Array(line), source: name)).failure
      default:
        if let id = record.string("id") {
          guard isNew(id) else { continue }
          last = id
        }
        lines += line + [0x0A]
      }
    }
    waiting += lines
  }

  /// Whether an event comes after the last one: a hub that begins too early repeats none.
  private func isNew(_ id: String) -> Bool {
    guard let before = last.flatMap({ EventPosition($0) }), let now = EventPosition(id),
      before.epoch == now.epoch
    else { return true }
    return now.sequence > before.sequence
  }

  private static func failure(_ code: Int, _ reason: String, _ name: String) -> Failure {
    let reason = Visible.line(String(reason.prefix(200)))
    switch code {
    case 4406:
      return Failure(
        .protocolMismatch, "'\(name)' does not speak protocol 1", url: name, cause: reason)
    case 4400:
      return Failure(.badInput, "'\(name)' refuses what it was sent", url: name, cause: reason)
    default:
      return Failure(
        .networkUnavailable, "the connection to '\(name)' was lost", kind: .connect, url: name,
        cause: reason.isEmpty ? nil : reason)
    }
  }
}
