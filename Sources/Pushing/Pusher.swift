public import Core
import Foundation
import Storage
import Synchronization

/// The sending of alerts to targets.
///
/// Each alert is committed for each target that wants it, and each target sends its messages one
/// after the other. Processes with the same target share its limits, and each sends the alerts that
/// it was given.
public final class Pusher: Sendable {
  /// A receiver of outcomes.
  public typealias Receiver = @Sendable (Delivery) throws(Failure) -> Void

  private struct State {
    var isEnding = false
    /// The alerts that other processes have yet to send, by target.
    var awaited: [String: Set<String>] = [:]
  }

  private let targets: [PushTarget]
  private let bells: [Bell]
  private let queue: PushQueue
  private let lock: FileLock
  private let deliver: Receiver
  private let state = Mutex(State())
  private let blocking = Blocking("push.queue", inOrder: true)

  /// The time between two looks at what other processes have sent, in seconds.
  private static let look = 0.5
  /// The time for which alerts are collected while others must wait.
  private static let gathering = Duration.milliseconds(20)

  /// Creates the sender, which takes over what killed processes left.
  ///
  /// - Parameters:
  ///   - targets: The targets.
  ///   - directories: The directories of the queue.
  ///   - deliver: Receives each outcome.
  /// - Throws: `StorageFailed` if the queue cannot be written.
  public init(
    _ targets: [PushTarget], _ directories: Directories, deliver: @escaping Receiver
  ) throws(Failure) {
    self.targets = targets
    self.deliver = deliver
    bells = targets.map { _ in Bell() }
    let folder = directories.state + "/push"
    let name = Identifier.make()
    guard let lock = try FileLock.ifFree("\(folder)/\(name)") else {
      throw Failure(.busy, "the lock '\(folder)/\(name)' is held", input: name)
    }
    self.lock = lock
    queue = PushQueue(store: try Store(directories), lock: name, locks: folder)
    try queue.takeOver(targets.map(\.pace), at: .now)
  }

  /// Adds alerts, which are committed when this function returns.
  ///
  /// - Parameters:
  ///   - alerts: The alerts.
  ///   - gates: Gates that changed; messages about those that are decided then say so.
  ///   - place: The name of the place that is read, and the id of the last event that was read
  ///     there; nil if none is stored.
  /// - Throws: `StorageFailed` if the queue cannot be written; the failures of the receiver.
  public func accept(
    _ alerts: [Alert], gates: [ApprovalGate] = [],
    place: (name: String, eventId: String)? = nil
  ) throws(Failure) {
    let known = try queue.store.base.write { rows in
      var known: [[(id: String, known: PushQueue.Known)]] = []
      for target in targets {
        known.append(
          try queue.add(alerts.filter(target.wants), for: target.pace, in: rows, at: .now))
        for gate in gates where gate.body.status != .pending {
          try queue.settle(
            gate, for: target.pace, replaces: target.channel.replacesMessages, in: rows, at: .now)
        }
      }
      if let place { try queue.setPlace(place.name, place.eventId, in: rows) }
      return known
    }
    for (target, entries) in zip(targets, known) {
      for (id, known) in entries {
        if case .ended(let delivery) = known {
          try deliver(delivery)
        } else {
          state.withLock { _ = $0.awaited[target.pace.id, default: []].insert(id) }
        }
      }
    }
    for bell in bells { bell.ring() }
  }

  /// Returns the id of the last event that was read at the place with the given name; nil if there
  /// is none.
  ///
  /// - Throws: `StorageFailed` if the queue cannot be read.
  public func place(_ name: String) throws(Failure) -> String? { try queue.place(name) }

  /// The name of a place for these targets.
  public func placeName(_ place: String) -> String {
    ([place] + targets.map(\.pace.id).sorted()).joined(separator: "\n")
  }

  /// The number of accepted alerts that have no outcome.
  ///
  /// - Throws: `StorageFailed` if the queue cannot be read.
  public var waiting: Int {
    get throws(Failure) { try queue.waiting }
  }

  /// Ends ``run()`` when all alerts have an outcome; what fails is then given up early.
  public func end() {
    state.withLock { $0.isEnding = true }
    for bell in bells { bell.ring() }
  }

  /// Sends alerts until all have an outcome after ``end()``, or until the task is cancelled.
  ///
  /// - Throws: `StorageFailed` if the queue cannot be used; the failures of the receiver.
  public func run() async throws(Failure) {
    let ends = await withTaskGroup(of: Result<Void, Failure>.self) { group in
      for (target, bell) in zip(targets, bells) {
        group.addTask {
          do throws(Failure) {
            return .success(try await self.work(target, bell))
          } catch {
            return .failure(error)
          }
        }
      }
      var ends: [Result<Void, Failure>] = []
      for await end in group {
        if case .failure = end { group.cancelAll() }
        ends.append(end)
      }
      return ends
    }
    for end in ends { try end.get() }
  }

  // MARK: One target

  private func work(_ target: PushTarget, _ bell: Bell) async throws(Failure) {
    var isHurried = false
    while !Task.isCancelled {
      let isEnding = state.withLock { $0.isEnding }
      if isEnding, !isHurried {
        isHurried = true
        try await blocking.run { [queue] () throws(Failure) in
          try queue.hurry(target.pace, at: .now)
        }
      }
      let awaits = try await lookAtOthers(target)
      let step = try await blocking.run { [queue] () throws(Failure) in
        try queue.next(target.pace, at: .now)
      }
      switch step {
      case .send(let message, let attempts, let since):
        try await send(message, attempts, since, to: target)
      case .wait(let time):
        guard time != nil || awaits || !isEnding else { return }
        let seconds = time.map { max(0.001, $0.seconds(since: .now)) } ?? .infinity
        await bell.wait(seconds: awaits ? min(seconds, Self.look) : seconds)
        // Many alerts that must wait are counted together.
        if time != nil { try? await Task.sleep(for: Self.gathering) }
      }
    }
  }

  private func send(
    _ message: PushMessage, _ earlier: Int, _ since: Timestamp, to target: PushTarget
  ) async throws(Failure) {
    let attempts = earlier + 1
    var delivery = Delivery(
      target: target.name, alert: message.alertId, kind: message.alert.kind, status: .sent,
      attempts: attempts, ts: 0)
    delivery.count = message.count > 1 ? message.count : nil
    do throws(Failure) {
      try await target.channel.send(message)
    } catch {
      // What was in flight is sent again by the next process.
      guard error.code != .interrupted, !Task.isCancelled else { return }
      let isHurried = state.withLock { $0.isEnding }
      let wait = PushRetry.wait(
        after: error, attempts: attempts, seconds: Timestamp.now.seconds(since: since),
        isHurried: isHurried)
      if let wait {
        return try await blocking.run { [queue] () throws(Failure) in
          try queue.delay(
            message.key, attempts: attempts, until: Timestamp.now.adding(seconds: wait),
            for: target.pace)
        }
      }
      (delivery.status, delivery.error) = (.failed, error)
    }
    delivery.ts = Timestamp.now.milliseconds
    try await blocking.run { [queue, delivery] () throws(Failure) in
      try queue.end(message.key, delivery, for: target.pace)
    }
    try deliver(delivery)
  }

  /// Tells the outcomes of alerts that other processes had before this one.
  ///
  /// - Returns: `true` if some have no outcome yet.
  private func lookAtOthers(_ target: PushTarget) async throws(Failure) -> Bool {
    let awaited = state.withLock { $0.awaited[target.pace.id] ?? [] }
    guard !awaited.isEmpty else { return false }
    let ended = try await blocking.run { [queue] () throws(Failure) in
      try queue.takeOver([target.pace], at: .now)
      var ended: [(id: String, delivery: Delivery?)] = []
      for id in awaited.sorted() {
        switch try queue.known(id, target.pace) {
        case .ended(let delivery): ended.append((id, delivery))
        case .waits: break
        case nil: ended.append((id, nil))
        }
      }
      return ended
    }
    for (id, delivery) in ended {
      state.withLock { _ = $0.awaited[target.pace.id]?.remove(id) }
      if let delivery { try deliver(delivery) }
    }
    return ended.count < awaited.count
  }
}

/// What wakes one waiting task.
private final class Bell: Sendable {
  private let rings = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  func ring() { rings.continuation.yield() }

  /// Waits until the bell rings, the time has passed, or the task is cancelled.
  func wait(seconds: Double) async {
    let timer = Task { [rings] in
      guard seconds.isFinite else { return }
      if (try? await Task.sleep(for: .seconds(seconds))) != nil { rings.continuation.yield() }
    }
    for await _ in rings.stream { break }
    timer.cancel()
  }
}
