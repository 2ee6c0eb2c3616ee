import Core
import Events
import HubWords
import NIOCore
import WebSocket

/// A subscriber of the live stream over a WebSocket (version 1 of the protocol).
///
/// All methods must be called on the event loop of the connection.
final class LiveSocket {
  /// The stages of a subscription.
  private enum Phase {
    /// The client has no subscription.
    case idle
    /// Events that the ring no longer has are being read from the log.
    case resuming(after: EventPosition, isReading: Bool)
    /// Events are being read from the ring.
    case live
  }

  /// The milliseconds between pings.
  private static let heartbeat: Int64 = 15_000
  /// The milliseconds without a message after which the client counts as disconnected.
  private static let silence: Int64 = 45_000
  /// The milliseconds without progress after which the client counts as too slow.
  private static let patience: Int64 = 30_000
  /// The number of invalid messages that end the connection.
  private static let mostFaults = 10

  let connection: WebSocketConnection
  private let ring: LiveRing
  private let desk: HubDesk
  private let counts: HubCounts
  private var phase = Phase.idle
  private var subscription: LiveSubscription?
  private var batches = false
  /// The number of subscriptions so far.
  ///
  /// By it, events that were read for an earlier subscription are recognized and dropped.
  private var generation = 0
  private var faults = 0
  private var pings = 0
  private var lastPing = EventOutput.monotonic()
  private var stuckSince: Int64?

  /// Creates the subscriber of the given open connection; must be called on the connection's event
  /// loop.
  init(
    _ connection: WebSocketConnection, of visitor: Visitor?, in openings: Openings, ring: LiveRing,
    desk: HubDesk, counts: HubCounts, pump: LivePump
  ) {
    self.connection = connection
    self.ring = ring
    self.desk = desk
    self.counts = counts
    pump.add(self)
    let (me, loop) = (NIOLoopBound(self, eventLoop: connection.eventLoop), connection.eventLoop)
    let opening = openings.add(.subscription, to: visitor) { reason in
      loop.execute { me.value.disconnect(reason) }
    }
    Task { await openings.check(opening) }
    connection.onText = { [self] text in receive(text) }
    connection.onBinary = { [self] _ in
      refuse(Failure(.badInput, "a message must be text"), requestId: nil)
    }
    connection.onClosed = { [self] _ in
      phase = .idle
      pump.remove(self)
      openings.close(opening)
    }
    connection.onWritabilityChanged = { [self] isWritable in
      if isWritable { self.pump() }
    }
  }

  // MARK: Input

  private func receive(_ text: ByteBuffer) {
    guard
      let message = try? LiveMessage(json: Array(text.readableBytesView))
    else {
      return refuse(
        Failure(.badInput, "the message is not an object with 'type' and valid members"),
        requestId: nil)
    }
    guard (message.requestId?.utf8.count ?? 0) <= 200 else {
      return refuse(Failure(.badInput, "'requestId' is longer than 200 bytes"), requestId: nil)
    }
    do throws(Failure) {
      switch message.type {
      case "subscribe": try subscribe(message)
      case "unsubscribe":
        generation += 1
        (subscription, phase) = (nil, .idle)
        answer("unsubscribed", message.requestId)
      case "throttle":
        guard let number = message.maxEventsPerSecond else {
          throw Failure(
            .badInput, "'maxEventsPerSecond' is missing", input: "maxEventsPerSecond")
        }
        let rate = try LiveRequest.rate(number)
        subscription?.setRate(rate)
        answer("throttled", message.requestId) { $0.maxEventsPerSecond = rate }
      case "ping":
        answer("pong", message.requestId) { $0.id = message.id }
      case "pong": break
      default:
        throw Failure(
          .badInput, "unknown message '\(Visible.line(String(message.type.prefix(64))))'")
      }
    } catch {
      refuse(error, requestId: message.requestId)
    }
  }

  private func subscribe(_ message: LiveMessage) throws(Failure) {
    let request = try LiveRequest(message)
    generation += 1
    batches = request.batches
    let end = ring.end
    let subscription = LiveSubscription(request, at: end.place, counts: counts)
    self.subscription = subscription
    let last = request.last ?? end.last
    answer("subscribed", message.requestId) { reply in
      reply.maxEventsPerSecond = request.perSecond
      reply.lastEventId = last.epoch.isEmpty ? nil : last.id
    }
    if let last = request.last { goOn(after: last, subscription) } else { phase = .live }
    pump()
  }

  private func answer(
    _ type: String, _ requestId: String?, _ complete: (inout LiveReply) -> Void = { _ in }
  ) {
    var reply = LiveReply(type: type, ts: Timestamp.now.milliseconds, requestId: requestId)
    complete(&reply)
    guard let text = try? reply.json() else { return }
    connection.send(text: text)
  }

  private func refuse(_ failure: Failure, requestId: String?) {
    faults += 1
    guard let record = try? ErrorRecord(failure, tool: "hub-serve").json(),
      let text = try? ErrorMembers(requestId: requestId).added(to: record)
    else { return }
    connection.send(text: text)
    if faults >= Self.mostFaults {
      connection.close(code: 4400, reason: "too many invalid messages")
    }
  }

  // MARK: Output

  /// Sends the next events, as long as the peer reads them.
  func pump() {
    guard let subscription, connection.isOpen else { return }
    if case .resuming(let last, let isReading) = phase {
      if !isReading { goOn(after: last, subscription) }
      guard case .live = phase else { return }
    }
    guard case .live = phase else { return }
    while connection.isWritable {
      var hasMore = false
      let sent = send { receive in
        hasMore = subscription.deliver(from: ring, at: EventOutput.monotonic(), date: .now, receive)
      }
      guard sent || hasMore else { return }
      if !hasMore { return }
    }
  }

  /// Sends the lines that `collect` delivers.
  ///
  /// Each line is one message. If batches were requested, all lines are one message.
  ///
  /// - Returns: `true` if there were lines.
  @discardableResult
  private func send(_ collect: (LiveSubscription.Give) -> Void) -> Bool {
    var frames = ByteBuffer()
    if batches {
      var lines: [UInt8] = []
      collect { line, _ in
        if !lines.isEmpty { lines.append(UInt8(ascii: "\n")) }
        lines.append(contentsOf: line)
      }
      if !lines.isEmpty { WebSocketConnection.appendTextFrame(lines, to: &frames) }
    } else {
      collect { line, _ in WebSocketConnection.appendTextFrame(line, to: &frames) }
    }
    guard frames.readableBytes > 0 else { return false }
    connection.write(frames: frames)
    return true
  }

  /// Continues after the event at the given log position.
  ///
  /// If the ring begins later, the events before it are read from the log.
  private func goOn(after last: EventPosition, _ subscription: LiveSubscription) {
    if case .at(let place) = ring.place(after: last) {
      subscription.move(to: place, after: last.id)
      phase = .live
      return
    }
    phase = .resuming(after: last, isReading: true)
    guard connection.isWritable else {
      phase = .resuming(after: last, isReading: false)
      return
    }
    let (desk, generation) = (desk, generation)
    let me = NIOLoopBound(self, eventLoop: connection.eventLoop)
    let loop = connection.eventLoop
    Task {
      let part: Result<LogPart, Failure>
      do throws(Failure) {
        part = .success(
          try await desk.read { () throws(Failure) in
            LogPart(try desk.journal.read(after: last.id, limit: 500), desk.links)
          })
      } catch {
        part = .failure(error)
      }
      loop.execute { me.value.receive(part, generation) }
    }
  }

  private func receive(_ part: Result<LogPart, Failure>, _ generation: Int) {
    guard generation == self.generation, let subscription, connection.isOpen,
      case .resuming(let last, _) = phase
    else { return }
    switch part {
    case .failure(let failure):
      refuse(failure, requestId: nil)
      // The client reconnects and resumes from its last event.
      connection.close(code: 1013, reason: "cannot read the event log")
    case .success(let part):
      guard let next = part.last else {
        subscription.move(to: ring.end.place, after: last.id)
        phase = .live
        return pump()
      }
      send { receive in
        subscription.deliver(
          part.pack, upTo: next.id, at: EventOutput.monotonic(), date: .now, receive)
      }
      goOn(after: next, subscription)
      pump()
    }
  }

  /// Disconnects the subscriber because its device was revoked.
  private func disconnect(_ reason: Failure) {
    guard connection.isOpen else { return }
    generation += 1
    (subscription, phase) = (nil, .idle)
    refuse(reason, requestId: nil)
    connection.close(code: 4403, reason: "the device was revoked")
  }

  /// Reports suppressed events, pings the peer, and ends a stuck connection.
  ///
  /// - Parameter now: The milliseconds of a monotonic clock.
  func tick(_ now: Int64) {
    guard connection.isOpen else { return }
    if connection.isWritable {
      stuckSince = nil
    } else {
      stuckSince = stuckSince ?? now
      if now - (stuckSince ?? now) >= Self.patience {
        return connection.close(code: 4408, reason: "nothing was read for 30 seconds")
      }
    }
    let silence = NIODeadline.now() - connection.lastHeard
    guard silence.nanoseconds < Self.silence * 1_000_000 else { return connection.cut() }
    if now - lastPing >= Self.heartbeat {
      lastPing = now
      pings += 1
      connection.ping()
      answer("ping", nil) { $0.id = pings }
    }
    pump()
  }
}
