import Core
import Foundation
import Synchronization

/// A scheduler of requests that limits the requests in parallel, the requests in parallel to each
/// host, and the pauses between requests to each host.
///
/// A request that waits for its host does not occupy a place. Hosts take turns in the order of
/// their requests. A host is an origin: scheme, name and port.
final class HostSchedule: Sendable {
  /// The limits of a schedule.
  struct Limits: Sendable, Hashable {
    /// The maximum number of requests in flight, and of pages that wait to be read or delivered.
    var parallel = 32
    /// The maximum number of requests in flight to one host.
    var perHost = 2
    /// The minimum seconds between the starts of two requests to one host.
    var delay = 0.2
  }

  /// The longest pause in seconds that a host can request.
  static let longestDelay = 10.0

  private let limits: Limits
  private let state: Mutex<ScheduleState>
  private let clock = ContinuousClock()

  init(_ limits: Limits) {
    self.limits = limits
    state = Mutex(ScheduleState(limits))
  }

  /// Waits for a place and for the turn of the given host.
  ///
  /// Of the requests to one host, the lowest number goes first.
  ///
  /// - Throws: `Interrupted` if the calling task is cancelled.
  func enter(_ host: String, number: Int = .max) async throws(Failure) {
    let ticket = state.withLock { $0.makeTicket() }
    let isIn = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        change { state in
          let waiter = ScheduleState.Waiter(
            ticket: ticket, number: number, resume: { continuation.resume(returning: $0) })
          if !state.wait(host, waiter) { continuation.resume(returning: false) }
        }
      }
    } onCancel: {
      let waiter = state.withLock { $0.withdraw(host, ticket) }
      waiter?.resume(false)
    }
    guard isIn else { throw Failure(.interrupted, "the request was cancelled") }
  }

  /// Ends a request to the given host, so that its next request can start; the caller's place stays
  /// occupied.
  func leave(_ host: String) {
    change { $0.leave(host) }
  }

  /// Releases the caller's place.
  func give() {
    change { $0.running -= 1 }
  }

  /// Blocks requests to the given host for the given seconds.
  func hold(_ host: String, seconds: Double) {
    change { [now = clock.now] in $0.hold(host, until: now + .seconds(max(0, seconds))) }
  }

  /// Lengthens the pauses between requests to the given host to `delay` seconds, but never shortens
  /// them.
  func pace(_ host: String, delay: Double) {
    guard delay.isFinite else { return }
    change { $0.pace(host, delay: min(delay, Self.longestDelay)) }
  }

  /// Records that a page of the given host was fetched, or failed after all retries.
  func remember(_ host: String, isAnswered: Bool) {
    change { $0.remember(host, isAnswered: isAnswered) }
  }

  /// Returns `true` if pages of the given host may be retried; `false` after several pages in a row
  /// failed in spite of retries.
  func mayRetry(_ host: String) -> Bool {
    state.withLock { $0.mayRetry(host) }
  }

  /// Applies the given change to the state, then admits the requests that may start now.
  private func change(_ change: (inout ScheduleState) -> Void) {
    let (admitted, alarm) = state.withLock { state in
      change(&state)
      return state.admit(at: clock.now)
    }
    for waiter in admitted { waiter.resume(true) }
    guard let alarm else { return }
    Task { [weak self, clock] in
      // The alarm is never cancelled; if it is late or superfluous, the schedule is only checked
      // again.
      try? await clock.sleep(until: alarm)
      self?.wake(alarm)
    }
  }

  private func wake(_ alarm: ContinuousClock.Instant) {
    change { if $0.alarm == alarm { $0.alarm = nil } }
  }
}

/// The state and the decisions of a ``HostSchedule``, without clock and waiting.
struct ScheduleState {
  typealias Instant = ContinuousClock.Instant

  struct Waiter {
    var ticket: UInt64
    var number: Int
    /// A function that resumes the waiting task, with `true` if its request was admitted.
    var resume: @Sendable (Bool) -> Void
  }

  private struct Host {
    var running = 0
    var delay: Double
    /// The earliest instant of the host's next request.
    var earliest: Instant?
    var waiting: [Waiter] = []
    /// The number of the host's pages in a row that failed in spite of all retries.
    var failures = 0
    /// `true` if the host is in ``ScheduleState/ready`` or ``ScheduleState/resting``.
    var isListed = false
  }

  var running = 0
  /// The instant of the next check, if the state does not change before.
  var alarm: Instant?
  private let limits: HostSchedule.Limits
  private var hosts: [String: Host] = [:]
  /// The hosts with a request that may start now.
  private var ready = Queue<String>()
  /// The hosts with a request that may start later, the earliest last.
  private var resting: [(instant: Instant, host: String)] = []
  private var tickets: UInt64 = 0
  /// The tickets that were withdrawn before they waited or after they were admitted.
  private var withdrawn: Set<UInt64> = []

  /// The number of consecutive failed pages after which a host's pages are not retried.
  private static let patience = 3
  /// The number of hosts above which hosts without pending requests, pauses and failures are
  /// forgotten.
  private static let manyHosts = 4096

  init(_ limits: HostSchedule.Limits) {
    self.limits = limits
  }

  mutating func makeTicket() -> UInt64 {
    tickets += 1
    return tickets
  }

  /// Queues the given waiter for the given host; returns `false` if its ticket was already
  /// withdrawn.
  mutating func wait(_ name: String, _ waiter: Waiter) -> Bool {
    guard withdrawn.remove(waiter.ticket) == nil else { return false }
    update(name) { host in
      let index = host.waiting.lastIndex { $0.number <= waiter.number }.map { $0 + 1 } ?? 0
      host.waiting.insert(waiter, at: index)
    }
    return true
  }

  mutating func withdraw(_ name: String, _ ticket: UInt64) -> Waiter? {
    guard let index = hosts[name]?.waiting.firstIndex(where: { $0.ticket == ticket }) else {
      withdrawn.insert(ticket)
      return nil
    }
    return hosts[name]?.waiting.remove(at: index)
  }

  mutating func leave(_ name: String) {
    update(name) { $0.running -= 1 }
  }

  mutating func hold(_ name: String, until instant: Instant) {
    update(name) { $0.earliest = max($0.earliest ?? instant, instant) }
  }

  mutating func pace(_ name: String, delay: Double) {
    update(name) { $0.delay = max($0.delay, delay) }
  }

  mutating func remember(_ name: String, isAnswered: Bool) {
    guard !isAnswered || hosts[name] != nil else { return }
    update(name) { $0.failures = isAnswered ? 0 : $0.failures + 1 }
  }

  func mayRetry(_ name: String) -> Bool {
    (hosts[name]?.failures ?? 0) < Self.patience
  }

  private mutating func update(_ name: String, _ change: (inout Host) -> Void) {
    var host = hosts[name] ?? Host(delay: limits.delay)
    change(&host)
    hosts[name] = host
    list(name)
  }

  /// Adds the given host to the queue of ready hosts if another of its requests may start.
  private mutating func list(_ name: String) {
    guard let host = hosts[name], !host.isListed, !host.waiting.isEmpty,
      host.running < limits.perHost
    else { return }
    hosts[name]?.isListed = true
    ready.append(name)
  }

  private mutating func rest(_ name: String, until instant: Instant) {
    var low = 0
    var high = resting.count
    while low < high {
      let middle = (low + high) / 2
      if resting[middle].instant > instant { low = middle + 1 } else { high = middle }
    }
    resting.insert((instant, name), at: low)
  }

  /// Removes the requests that may start at the given instant from their queues.
  ///
  /// - Returns: The requests, and an instant for the next check if no earlier one is set.
  mutating func admit(at now: Instant) -> (admitted: [Waiter], alarm: Instant?) {
    while let next = resting.last, next.instant <= now {
      ready.append(next.host)
      resting.removeLast()
    }
    var admitted: [Waiter] = []
    while running < limits.parallel, let name = ready.next() {
      guard var host = hosts[name] else { continue }
      host.isListed = false
      if let earliest = host.earliest, earliest > now, !host.waiting.isEmpty {
        host.isListed = true
        hosts[name] = host
        rest(name, until: earliest)
        continue
      }
      if !host.waiting.isEmpty, host.running < limits.perHost {
        admitted.append(host.waiting.removeFirst())
        host.running += 1
        host.earliest = host.delay > 0 ? now + .seconds(host.delay) : nil
        running += 1
      }
      hosts[name] = host
      list(name)
    }
    if hosts.count > Self.manyHosts { forget(now) }
    guard let first = resting.last?.instant, alarm.map({ first < $0 }) ?? true else {
      return (admitted, nil)
    }
    alarm = first
    return (admitted, first)
  }

  private mutating func forget(_ now: Instant) {
    hosts = hosts.filter { _, host in
      host.running > 0 || host.isListed || !host.waiting.isEmpty || host.delay > limits.delay
        || host.failures > 0
        || host.earliest.map { $0 > now } ?? false
    }
  }
}
