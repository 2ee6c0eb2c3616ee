public import Core
public import Events
import Foundation
import HTTP
import HubWords
import Synchronization

/// A sender of events to a hub.
///
/// It stores events on disk and sends them on a separate thread. Callers never wait for the
/// network, and a crash loses no event. Each event on disk names this machine and has a `srcId`, by
/// which the hub recognizes an event that is sent again. If the stored events reach the limit, new
/// events are refused, beginning with log records below `warn`. Events that earlier processes stored
/// for the hub are also sent.
public final class HubOutbox: EventSink {
  private struct State {
    var own: (spool: HubSpool, id: String)?
    /// The number of events to which this sender gave a `srcId`.
    var named = 0
    /// The number of bytes in the spools of other processes, and the time at which they were
    /// counted.
    var others = 0
    var checkedAt: ContinuousClock.Instant?
    /// `true` after a failure to write events was reported, until a write succeeds.
    var hasFailed = false
    /// The number of events that were refused or could not be written.
    var lostCount = 0
    /// `true` after it was reported that the hub is unreachable.
    var isAway = false
    /// `true` after it was reported that the hub rejects events.
    var hasRejected = false
    var waiters: [Waiter] = []
    /// The number of remaining attempts to reach the hub; nil until ``HubOutbox/end(within:)`` is
    /// called.
    var triesLeft: Int?
  }

  private struct Waiter {
    /// The number of lines that must be sent before the wait is over.
    var target: Int
    var isSent = Flag()
  }

  /// A signal for one waiting thread.
  ///
  /// It is given once, with an outcome.
  private final class Flag: Sendable {
    let isSet = Atomic<Bool>(false)
    let done = DispatchSemaphore(value: 0)

    func end(_ isSet: Bool) {
      self.isSet.store(isSet, ordering: .relaxed)
      done.signal()
    }
  }

  /// The default for the maximum number of bytes of unsent events.
  public static let usualLimit = 256 << 20
  /// The largest number of bytes in one request.
  private static let batchBytes = 1 << 20
  /// The number of attempts to reach an unreachable hub after the sender was told to end.
  private static let lastTries = 2

  /// Receives a sentence about each problem, such as an unreachable hub.
  public let report: NoticeHandler
  private let hubs: HubGroup
  private let place: HubSpoolPlace
  private let limit: Int
  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// Creates a sender and starts its thread.
  ///
  /// The thread also sends the events that earlier processes stored.
  ///
  /// - Parameters:
  ///   - hubs: The hub or its group.
  ///   - directories: The directories that hold unsent events.
  ///   - limit: The maximum number of bytes of unsent events. Above it, log records below `warn`
  ///     are refused; above twice the limit, all events are refused.
  ///   - report: Receives a sentence about each problem.
  public init(
    _ hubs: HubGroup, _ directories: Directories, limit: Int = usualLimit,
    report: @escaping NoticeHandler
  ) {
    self.hubs = hubs
    place = HubSpoolPlace(hubs.hubs, directories)
    self.limit = limit
    self.report = report
    Thread.detachNewThread { [self] in send() }
  }

  // MARK: Recording

  /// Stores the given events on disk.
  ///
  /// The thread sends them later; see ``EventSink``.
  public func record(_ events: [EncodedEvent]) -> Int {
    let (refused, trouble) = state.withLock { state in
      let (refused, trouble) = append(events, &state)
      state.lostCount += refused
      return (refused, trouble)
    }
    if let trouble { report(.sentence(trouble)) }
    work.signal()
    return refused
  }

  /// Appends events to the spool of this process.
  ///
  /// - Returns: The number of refused events, and an explanation if the write failed although the
  ///   previous one succeeded.
  private func append(
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

  /// `true` if at least a sixteenth of the limit is unused.
  public var hasRoom: Bool {
    state.withLock { state in
      state.own.map { room($0.spool, &state) > limit / 16 } ?? true
    }
  }

  /// The number of events so far that were refused or could not be written.
  public var lostCount: Int { state.withLock { $0.lostCount } }

  private func opened(_ state: inout State) throws(Failure) -> (spool: HubSpool, id: String) {
    if let own = state.own { return own }
    let own = try place.new()
    state.own = own
    return own
  }

  /// Returns the number of bytes that may still be stored.
  private func room(_ spool: HubSpool, _ state: inout State) -> Int {
    if state.checkedAt.map({ $0 + .seconds(1) <= .now }) ?? true {
      state.others = place.bytes(except: spool)
      state.checkedAt = .now
    }
    return limit - state.others - spool.bytes
  }

  /// Returns the given event with a `srcId` and the name of this machine.
  private func named(_ event: EncodedEvent, _ id: String, _ state: inout State) -> EncodedEvent {
    let event = event.with(host: EventHost.own)
    guard event.srcId == nil else { return event }
    state.named += 1
    return event.with(srcId: "\(id).\(state.named)")
  }

  // MARK: Waiting

  /// Waits until the hub has the recorded events, or until an attempt to reach it fails; see
  /// ``EventSink``.
  @discardableResult
  public func settle(within seconds: Double) -> Bool {
    let waiter: Waiter? = state.withLock { state in
      guard let spool = state.own?.spool, spool.waiting > 0 else { return nil }
      let waiter = Waiter(target: spool.appended)
      state.waiters.append(waiter)
      return waiter
    }
    guard let waiter else { return true }
    work.signal()
    return waiter.isSent.done.wait(timeout: .now() + seconds) == .success
      && waiter.isSent.isSet.load(ordering: .relaxed)
  }

  /// Sends the remaining events, and reports the number of events that stay unsent; see
  /// ``EventSink``.
  public func end(within seconds: Double) {
    state.withLock { $0.triesLeft = Self.lastTries }
    work.signal()
    _ = done.wait(timeout: .now() + seconds)
    let left = state.withLock { $0.own?.spool.waiting ?? 0 }
    if left > 0 {
      report(
        .sentence(
          "\(left) \(left == 1 ? "event is" : "events are") waiting for '\(hubs.name)' in "
            + "'\(place.path)': the next run with --hub will send them"))
    }
    state.withLock { $0.own?.spool.close() }
  }

  // MARK: Sending

  private func send() {
    var others = place.abandoned()
    var checkedAt = ContinuousClock.now
    var isOthers = false
    var (backoff, most) = (Backoff(first: 0.5, longest: 30), Self.batchBytes)
    while true {
      if checkedAt + .seconds(60) <= .now {
        others += place.abandoned()
        checkedAt = .now
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

  /// Sends the given lines.
  ///
  /// They are removed from the spool if the hub has them or will never accept them.
  ///
  /// - Returns: The largest number of bytes for the next request.
  /// - Throws: A failure after which a retry may succeed.
  private func deliver(
    _ batch: HubSpool.Batch, of spool: HubSpool, _ most: Int
  ) throws(Failure) -> Int {
    var next = min(most * 2, Self.batchBytes)
    do throws(Failure) {
      let hubs = hubs
      let body = try Waiting.run { () async throws(Failure) in
        try await hubs.outcome(
          "POST", "/v1/events", body: batch.bytes, contentType: "application/x-ndjson"
        ).get()
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
      report("'\(hubs.hub.url)' rejected events: \(Visible.line(String(explanation.prefix(300))))")
    }
  }

  /// Ends all waits.
  ///
  /// Reports that the hub is unreachable, unless that was already reported.
  ///
  /// - Returns: `true` if no attempts are left.
  private func failed(_ failure: Failure) -> Bool {
    let (waiters, isFirst, isOver) = state.withLock { state in
      let isFirst = !state.isAway
      state.isAway = true
      state.triesLeft = state.triesLeft.map { $0 - 1 }
      defer { state.waiters = [] }
      return (state.waiters, isFirst, state.triesLeft.map { $0 <= 0 } ?? false)
    }
    for waiter in waiters { waiter.isSent.end(false) }
    if isFirst { report("\(failure.explanation): storing events on disk") }
    return isOver
  }

  /// Waits before the next attempt.
  ///
  /// If a caller waits in `settle(within:)`, there is no pause. If the sender is to end, the pause
  /// is short.
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
