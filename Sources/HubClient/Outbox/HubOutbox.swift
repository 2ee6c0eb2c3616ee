public import Core
public import Events
import Foundation
import HTTP
import HubWords
import Synchronization

/// Sends events to a hub, from a thread of its own: they are written to disk first, so that nobody who
/// tells one waits for a network, and none is lost with the process.
///
/// Each event has a `srcId` from the moment that it is on disk, by which the hub takes it once, however
/// often it is sent. What there is no room for on disk is refused, logs below `warn` first. What earlier
/// processes left for the hub is sent, too.
public final class HubOutbox: EventSink {
  private struct State {
    var own: (spool: HubSpool, id: String)?
    /// How many events were named.
    var named = 0
    /// What the spools of other processes have, and when that was looked at.
    var others = 0
    var lookedAt: ContinuousClock.Instant?
    /// Whether it was told that events cannot be written, and none has been since.
    var hasFailed = false
    /// Whether it was told that the hub takes none.
    var isAway = false
    /// Whether it was told that the hub rejects some.
    var hasRejected = false
    var waiters: [Waiter] = []
    /// How often it is tried yet, once it is to end.
    var triesLeft: Int?
  }

  private struct Waiter {
    /// So many lines are to be sent.
    var target: Int
    var isSent = Flag()
  }

  /// Whether something came about, for one who waits.
  private final class Flag: Sendable {
    let isSet = Atomic<Bool>(false)
    let done = DispatchSemaphore(value: 0)

    func end(_ isSet: Bool) {
      self.isSet.store(isSet, ordering: .relaxed)
      done.signal()
    }
  }

  /// So many bytes may wait for a hub, in all, unless something else is asked for.
  public static let usualLimit = 256 << 20
  /// So many bytes are sent at once.
  private static let batchBytes = 1 << 20
  /// A process that ends tries so often to reach a hub that is away.
  private static let lastTries = 2

  /// Is told once of what cannot be kept, and of a hub that is away.
  public let note: Note
  private let peer: HubPeer
  private let place: HubSpoolPlace
  private let limit: Int
  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// Begins to send; what earlier processes left goes first.
  ///
  /// - Parameters:
  ///   - peer: The hub.
  ///   - directories: Where events wait.
  ///   - limit: How many bytes may wait, in all: then logs below `warn` are refused, and at twice as
  ///     many everything.
  ///   - note: Is given a sentence on what goes wrong.
  public init(
    _ peer: HubPeer, _ directories: Directories, limit: Int = usualLimit,
    note: @escaping Note
  ) {
    self.peer = peer
    place = HubSpoolPlace(peer.hub, directories)
    self.limit = limit
    self.note = note
    Thread.detachNewThread { [self] in send() }
  }

  // MARK: Taking

  /// Writes events to disk, from where they are sent; see ``EventSink``.
  public func record(_ events: [EncodedEvent]) -> Int {
    let (refused, trouble) = state.withLock { take(events, &$0) }
    if let trouble { note(.sentence(trouble)) }
    work.signal()
    return refused
  }

  /// Takes events.
  ///
  /// - Returns: How many there is no room for, and what is to be told, where something goes wrong that
  ///   went well before.
  private func take(
    _ events: [EncodedEvent], _ state: inout State
  ) -> (refused: Int, trouble: String?) {
    let events = events.filter(\.isReport)
    do throws(Failure) {
      let (spool, id) = try opened(&state)
      var room = room(spool, &state)
      var batch = HubSpool.Batch(bytes: [], lines: 0)
      for event in events {
        let line = named(event, id, &state).line
        guard line.count < (event.isMinor ? room : room + limit) else { continue }
        batch.bytes += line
        batch.bytes.append(0x0A)
        batch.lines += 1
        room -= line.count + 1
      }
      try spool.append(batch)
      state.hasFailed = false
      return (events.count - batch.lines, nil)
    } catch {
      defer { state.hasFailed = true }
      let trouble = "cannot store events: \(error.explanation)"
      return (events.count, state.hasFailed ? nil : trouble)
    }
  }

  /// A Boolean value that indicates whether some events may wait yet: a part of the limit is free.
  public var hasRoom: Bool {
    state.withLock { state in
      state.own.map { room($0.spool, &state) > limit / 16 } ?? true
    }
  }

  private func opened(_ state: inout State) throws(Failure) -> (spool: HubSpool, id: String) {
    if let own = state.own { return own }
    let own = try place.new()
    state.own = own
    return own
  }

  /// How many bytes more may wait.
  private func room(_ spool: HubSpool, _ state: inout State) -> Int {
    if state.lookedAt.map({ $0 + .seconds(1) <= .now }) ?? true {
      state.others = place.bytes(except: spool)
      state.lookedAt = .now
    }
    return limit - state.others - spool.bytes
  }

  private func named(_ event: EncodedEvent, _ id: String, _ state: inout State) -> EncodedEvent {
    guard event.srcId == nil else { return event }
    state.named += 1
    return event.with(srcId: "\(id).\(state.named)")
  }

  // MARK: Waiting

  /// Waits until the hub has what was taken, see ``EventSink``; one that is away is tried once.
  @discardableResult
  public func settle(within seconds: Double) -> Bool {
    let waiter: Waiter? = state.withLock { state in
      guard let spool = state.own?.spool, spool.waiting > 0 else { return nil }
      let waiter = Waiter(target: spool.taken)
      state.waiters.append(waiter)
      return waiter
    }
    guard let waiter else { return true }
    work.signal()
    return waiter.isSent.done.wait(timeout: .now() + seconds) == .success
      && waiter.isSent.isSet.load(ordering: .relaxed)
  }

  /// Sends what is left, and tells what stays; see ``EventSink``.
  public func end(within seconds: Double) {
    state.withLock { $0.triesLeft = Self.lastTries }
    work.signal()
    _ = done.wait(timeout: .now() + seconds)
    let left = state.withLock { $0.own?.spool.waiting ?? 0 }
    if left > 0 {
      note(
        .sentence(
          "\(left) \(left == 1 ? "event is" : "events are") waiting for '\(peer.hub.url)' in "
            + "'\(place.path)': the next run with --hub will send them"))
    }
    state.withLock { $0.own?.spool.close() }
  }

  // MARK: Sending

  private func send() {
    var others = place.left()
    var lookedAt = ContinuousClock.now
    var isOthers = false
    var (backoff, most) = (Backoff(first: 0.5, longest: 30), Self.batchBytes)
    while true {
      if lookedAt + .seconds(60) <= .now {
        others += place.left()
        lookedAt = .now
      }
      isOthers.toggle()
      let own = state.withLock { $0.own?.spool }
      let spools = isOthers ? [others.first, own] : [own, others.first]
      guard let spool = spools.compactMap({ $0 }).first(where: { $0.waiting > 0 }) else {
        if state.withLock({ $0.triesLeft != nil }) { break }
        work.wait()
        continue
      }
      do throws(Failure) {
        guard let batch = try spool.next(upTo: most) else { continue }
        most = try deliver(batch, of: spool, most)
        backoff.reset()
        state.withLock { $0.isAway = false }
      } catch {
        if failed(error) { break }
        backoff.grow()
        rest(max(backoff.jittered, error.retryAfterSeconds ?? 0))
      }
      if spool !== own, spool.waiting == 0 {
        spool.close()
        others.removeAll { $0 === spool }
      }
    }
    done.signal()
  }

  /// Sends lines, and takes them away where the hub has them or never will.
  ///
  /// - Returns: How many bytes may be sent at once from now on.
  /// - Throws: What may go well later.
  private func deliver(
    _ batch: HubSpool.Batch, of spool: HubSpool, _ most: Int
  ) throws(Failure) -> Int {
    var next = min(most * 2, Self.batchBytes)
    do throws(Failure) {
      let peer = peer
      let body = try Waiting.run { () async throws(Failure) in
        try await peer.send(
          "POST", "/v1/events", body: batch.bytes, contentType: "application/x-ndjson")
      }
      let answer = try? Acknowledgement(json: body)
      if let first = answer?.rejected.first { rejected(first.explanation) }
    } catch {
      switch error.status {
      case 413 where batch.lines > 1: return batch.bytes.count / 2
      case 413, 422: rejected(error.explanation)
      default: throw error
      }
      next = most
    }
    spool.remove(batch)
    let sent = state.withLock { state in
      guard state.own?.spool === spool else { return [Waiter]() }
      let sent = spool.sent
      defer { state.waiters.removeAll { $0.target <= sent } }
      return state.waiters.filter { $0.target <= sent }
    }
    for waiter in sent { waiter.isSent.end(true) }
    return next
  }

  private func rejected(_ explanation: String) {
    let isFirst = state.withLock { state in
      defer { state.hasRejected = true }
      return !state.hasRejected
    }
    if isFirst {
      note("'\(peer.hub.url)' rejected events: \(Visible.line(String(explanation.prefix(300))))")
    }
  }

  /// The hub takes nothing now: that is told once, and to those who wait.
  ///
  /// - Returns: Whether it is not to be tried again.
  private func failed(_ failure: Failure) -> Bool {
    let (waiters, isFirst, isOver) = state.withLock { state in
      let isFirst = !state.isAway
      state.isAway = true
      state.triesLeft = state.triesLeft.map { $0 - 1 }
      defer { state.waiters = [] }
      return (state.waiters, isFirst, state.triesLeft.map { $0 <= 0 } ?? false)
    }
    for waiter in waiters { waiter.isSent.end(false) }
    if isFirst { note("\(failure.explanation): storing events on disk") }
    return isOver
  }

  /// Waits before it is tried again, less where somebody waits or this is to end.
  private func rest(_ seconds: Double) {
    var end = ContinuousClock.now + .seconds(seconds)
    while true {
      let (isAwaited, isEnding) = state.withLock { (!$0.waiters.isEmpty, $0.triesLeft != nil) }
      if isAwaited { return }
      if isEnding { end = min(end, .now + .milliseconds(250)) }
      let left = (end - .now) / .seconds(1)
      guard left > 0 else { return }
      _ = work.wait(timeout: .now() + left)
    }
  }
}
