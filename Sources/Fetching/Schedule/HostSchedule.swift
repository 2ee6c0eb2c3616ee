import Core
import Foundation
import Synchronization

/// A scheduler that limits requests.
///
/// It limits the number of parallel requests, in total and to each host, and enforces pauses
/// between requests to the same host. A request that waits for its host does not occupy a place.
/// Hosts take turns in the order of their requests. A host is an origin: scheme, name and port.
final class HostSchedule: Sendable {
  /// The limits of a schedule.
  struct Limits: Sendable, Hashable {
    /// The maximum number of requests in flight, plus pages that wait to be read or delivered.
    var parallel = 32
    /// The maximum number of requests in flight to one host.
    var perHost = 2
    /// The minimum time, in seconds, between the starts of two requests to one host.
    var delay = 0.2
  }

  /// The longest pause, in seconds, that a host can request.
  static let longestDelay = 10.0

  private let limits: Limits
  private let state: Mutex<ScheduleState>
  private let clock = ContinuousClock()

  init(_ limits: Limits) {
    self.limits = limits
    state = Mutex(ScheduleState(limits))
  }

  /// Waits for a place, and for the turn of the given host.
  ///
  /// If several requests wait for the same host, the one with the lowest number goes first.
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

  /// Ends a request to the given host, so that the next request to it can start.
  ///
  /// The caller's place stays occupied.
  func leave(_ host: String) {
    change { $0.leave(host) }
  }

  /// Releases the place that the caller occupies.
  func release() {
    change { $0.running -= 1 }
  }

  /// Prevents requests to the given host from starting for the given number of seconds.
  func hold(_ host: String, seconds: Double) {
    change { [now = clock.now] in $0.hold(host, until: now + .seconds(max(0, seconds))) }
  }

  /// Lengthens the pauses between requests to the given host to `delay` seconds.
  ///
  /// Longer pauses stay as they are.
  func pace(_ host: String, delay: Double) {
    guard delay.isFinite else { return }
    change { $0.pace(host, delay: min(delay, Self.longestDelay)) }
  }

  /// Records if a page of the given host was fetched or failed after all retries.
  func remember(_ host: String, isAnswered: Bool) {
    change { $0.remember(host, isAnswered: isAnswered) }
  }

  /// Returns `true` if requests for pages of the given host may be retried.
  ///
  /// They may not after several pages in a row failed in spite of retries.
  func mayRetry(_ host: String) -> Bool {
    state.withLock { $0.mayRetry(host) }
  }

  /// Applies the given change to the state, and then admits the requests that may start now.
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

/// The state of a ``HostSchedule`` and its decisions.
///
/// It uses no clock and does not wait.
struct ScheduleState {
  typealias Instant = ContinuousClock.Instant

  struct Waiter {
    var ticket: UInt64
    var number: Int
    /// A function that resumes the waiting task.
    ///
    /// Its argument is `true` if the request was admitted.
    var resume: @Sendable (Bool) -> Void
  }

  private struct Host {
    var running = 0
    var delay: Double
    /// The earliest time at which the next request to the host may start.
    var earliest: Instant?
    var waiting: [Waiter] = []
    /// The number of the host's most recent pages that all failed in spite of retries.
    var failures = 0
    /// `true` if the host is in ``ScheduleState/ready`` or ``ScheduleState/resting``.
    var isListed = false
  }

  var running = 0
  /// The time of the next check, if the state does not change earlier.
  var alarm: Instant?
  private let limits: HostSchedule.Limits
  private var hosts: [String: Host] = [:]
  /// The hosts with a request that may start now.
  private var ready = Queue<String>()
  /// The hosts with a request that may start later.
  ///
  /// The earliest is last.
  private var resting: [(instant: Instant, host: String)] = []
  private var tickets: UInt64 = 0
  /// The tickets that were withdrawn, either before they waited or after they were admitted.
  private var withdrawn: Set<UInt64> = []

  /// The number of consecutive failed pages after which a host's pages are no longer retried.
  private static let patience = 3
  /// The number of hosts above which idle hosts are forgotten.
  ///
  /// A host is idle if it has no waiting requests, pauses or failures.
  private static let manyHosts = 4096

  init(_ limits: HostSchedule.Limits) {
    self.limits = limits
  }

  mutating func makeTicket() -> UInt64 {
    tickets += 1
    return tickets
  }

  /// Adds the given waiter to the queue of the given host.
  ///
  /// - Returns: `false` if the waiter's ticket was already withdrawn.
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

  /// Adds the given host to the queue of ready hosts if it has another request that may start.
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

  /// Removes the requests that may start at the given time from their queues.
  ///
  /// - Returns: The requests, and the time of the next check if no earlier check is set.
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
