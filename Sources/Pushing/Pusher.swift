public import Core
import Foundation
import Storage
import Synchronization

/// The sending of alerts to targets.
///
/// Each alert is committed for each target that wants it. Critical alerts and others are sent side by
/// side. Processes with the same target share its limits, and each sends the alerts that it was given.
public final class Pusher: Sendable {
  /// A receiver of outcomes.
  public typealias Receiver = @Sendable (Delivery) throws(Failure) -> Void
  /// A function that returns the goal of the run that has the stage with the given id; nil if this
  /// machine has no such run.
  public typealias GoalReader = @Sendable (_ stageId: String) -> String?

  private struct State {
    var isEnding = false
    /// The alerts that other processes have yet to send, by target.
    var awaited: [String: Set<String>] = [:]
    /// The names in the queue of targets that are reported as failing.
    var failing: Set<String> = []
    /// The targets that got alerts, by their names in the queue.
    var lines: [String: Line] = [:]
  }

  /// A target, and the bell that wakes its tasks.
  private struct Line: Sendable {
    let target: PushTarget
    let bell = Bell(PushQueue.Lane.allCases.count + 1)
  }

  /// The targets as they were named.
  private let named: [PushTarget]
  /// The targets whose tasks are to start; it ends when there are no further alerts.
  private let starts = AsyncStream<Line>.makeStream()
  private let queue: PushQueue
  private let lock: FileLock
  private let goal: GoalReader
  private let deliver: Receiver
  private let report: NoticeHandler
  private let state = Mutex(State())
  private let blocking = Blocking("push.queue", inOrder: true)

  /// The time between two looks at what other processes have sent, in seconds.
  private static let look = 0.5
  /// The seconds after which a wait is reported.
  private static let longWait = 10.0
  /// The seconds between two attempts above which a target is reported as failing.
  private static let longPause = 10.0
  /// The time for which other processes are awaited at the end.
  private static let patience = Duration.seconds(5)
  /// The time for which alerts are collected while others must wait.
  private static let gathering = Duration.milliseconds(20)

  /// Creates the sender.
  ///
  /// - Parameters:
  ///   - targets: The targets.
  ///   - directories: The directories of the queue.
  ///   - takesOver: `true` to send what killed processes left.
  ///   - goal: Reads the goal of a run when a message about one of its gates is sent, so that no
  ///     goal is stored here.
  ///   - report: Receives a sentence about alerts that are left to others.
  ///   - deliver: Receives each outcome.
  /// - Throws: `StorageFailed` if the queue cannot be written.
  public init(
    _ targets: [PushTarget], _ directories: Directories, takesOver: Bool = true,
    goal: @escaping GoalReader, report: @escaping NoticeHandler, deliver: @escaping Receiver
  ) throws(Failure) {
    (named, self.goal, self.report, self.deliver) = (targets, goal, report, deliver)
    let folder = directories.state + "/push"
    let name = Identifier.make()
    guard let lock = try FileLock.ifFree("\(folder)/\(name)") else {
      throw Failure(.busy, "the lock '\(folder)/\(name)' is held", input: name)
    }
    self.lock = lock
    queue = PushQueue(
      base: try PushQueue.base(directories), lock: name, locks: folder)
    let lines = lines()
    if takesOver { try queue.takeOver(lines.map(\.target.pace), at: .now) }
  }

  /// Returns the current targets; the tasks of new ones start.
  private func lines() -> [Line] {
    var lines: [Line] = []
    for target in named {
      for current in currentTargets(of: target) {
        let (line, isNew) = state.withLock { state in
          if let line = state.lines[current.pace.id] { return (line, false) }
          let line = Line(target: current)
          state.lines[current.pace.id] = line
          return (line, true)
        }
        if isNew { starts.continuation.yield(line) }
        lines.append(line)
      }
    }
    return lines
  }

  /// Returns the targets that the given one stands for.
  ///
  /// If they cannot be read, they are those that were read before, so that other targets go on.
  private func currentTargets(of target: PushTarget) -> [PushTarget] {
    do throws(Failure) {
      return try target.current()
    } catch {
      if state.withLock({ $0.failing.insert(target.pace.id).inserted }) {
        report(.sentence("'\(target.name)': \(error.explanation)"))
      }
      let known = state.withLock { state in
        state.lines.values.map(\.target).filter { $0.placeId == target.placeId }
      }
      return known.isEmpty ? [target] : known.sorted { $0.pace.id < $1.pace.id }
    }
  }

  private func ringAll() {
    for line in state.withLock({ Array($0.lines.values) }) { line.bell.ring() }
  }

  /// Adds alerts, which are committed when this function returns.
  ///
  /// - Parameters:
  ///   - alerts: The alerts.
  ///   - gates: Gates that changed; messages about those that are decided then say so.
  ///   - place: The place that is read, and the id of the last event that was read there, which is
  ///     empty if there was none; nil if nothing is stored.
  ///   - hub: The hub at which the gates are decided, as `--hub` names it; nil for this machine.
  /// - Throws: `StorageFailed` if the queue cannot be written; the failures of the receiver.
  public func accept(
    _ alerts: [Alert], gates: [ApprovalGate] = [],
    place: (name: String, eventId: String)? = nil, hub: String? = nil
  ) throws(Failure) {
    let targets = lines().map(\.target)
    let known = try queue.base.write { rows in
      var known: [[(id: String, known: PushQueue.Known)]] = []
      for target in targets {
        known.append(
          try queue.add(
            alerts.filter(target.wants), for: target.pace, hub: hub, in: rows, at: .now))
        for gate in gates where gate.body.status != .pending {
          try queue.settle(
            gate, for: target.pace, replaces: target.channel.replacesMessages, in: rows, at: .now)
        }
      }
      if let place {
        for target in targets {
          try queue.setPlace(target.place(place.name), place.eventId, in: rows)
        }
      }
      return known
    }
    for (target, entries) in zip(targets, known) {
      for (id, known) in entries {
        switch known {
        case .ended(let delivery): try deliver(delivery)
        // Its outcome will be told.
        case .waits: break
        case .waitsElsewhere:
          state.withLock { _ = $0.awaited[target.pace.id, default: []].insert(id) }
        }
      }
    }
    ringAll()
  }

  /// Returns the id of the last event that was read at the given place for each of the targets.
  ///
  /// Each target has a place of its own, as long as it wants the same alerts; the earliest counts,
  /// because an alert is sent once.
  ///
  /// - Returns: The id, which is empty if there was no event yet; nil if no place is stored.
  /// - Throws: `StorageFailed` if the queue cannot be read.
  public func lastRead(at place: String) throws(Failure) -> String? {
    let sequence = { (id: String) in Int64(id.split(separator: "-").last ?? "") ?? 0 }
    return try queue.places(lines().map { $0.target.place(place) }).min {
      sequence($0) < sequence($1)
    }
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
    starts.continuation.finish()
    ringAll()
  }

  /// Sends alerts until all have an outcome after ``end()``, or until the task is cancelled.
  ///
  /// - Throws: `StorageFailed` if the queue cannot be used; the failures of the receiver.
  public func run() async throws(Failure) {
    let ends = await withTaskGroup(of: Result<Void, Failure>.self) { group in
      for await line in starts.stream {
        let (target, bell) = (line.target, line.bell)
        for (index, lane) in PushQueue.Lane.allCases.enumerated() {
          group.addTask {
            await self.ending { () async throws(Failure) in
              try await self.work(target, lane, bell[index])
            }
          }
        }
        group.addTask {
          await self.ending { () async throws(Failure) in try await self.watch(target, bell.last) }
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
    try queue.leave()
  }

  private func ending(
    _ work: () async throws(Failure) -> Void
  ) async -> Result<Void, Failure> {
    do throws(Failure) {
      return .success(try await work())
    } catch {
      // No further target starts, and the tasks of the others are cancelled.
      starts.continuation.finish()
      return .failure(error)
    }
  }

  private var isEnding: Bool { state.withLock { $0.isEnding } }

  // MARK: One target

  private func work(
    _ target: PushTarget, _ lane: PushQueue.Lane, _ bell: Ring
  ) async throws(Failure) {
    var (isHurried, hasTold) = (false, false)
    while !Task.isCancelled {
      let isEnding = isEnding
      if isEnding, !isHurried {
        isHurried = true
        try await blocking.run { [queue] () throws(Failure) in
          try queue.hurry(target.pace, at: .now)
        }
      }
      let step = try await blocking.run { [queue] () throws(Failure) in
        try queue.next(target.pace, lane, at: .now, isEnding: isEnding)
      }
      switch step {
      case .send(let due): try await send(due, to: target)
      case .wait(nil):
        guard !isEnding else { return }
        await bell.wait(seconds: .infinity)
      case .wait(let time?):
        if isEnding, !hasTold, time.seconds(since: .now) > Self.longWait {
          hasTold = true
          report(.sentence("'\(target.name)': messages wait until \(time.iso8601)"))
        }
        await bell.wait(seconds: max(0.001, time.seconds(since: .now)))
        // Many alerts that must wait are counted together.
        try? await Task.sleep(for: Self.gathering)
      }
    }
  }

  private func send(_ due: PushQueue.Due, to target: PushTarget) async throws(Failure) {
    let message = due.message
    let attempts = due.attempts + 1
    var delivery = Delivery(
      target: target.name, alert: message.alertId, kind: message.alert.kind, status: .sent,
      attempts: attempts, ts: 0)
    delivery.count = message.count > 1 ? message.count : nil
    do throws(Failure) {
      guard Timestamp.now.milliseconds - due.takenAt.milliseconds <= PushRetry.day else {
        delivery.attempts = max(1, due.attempts)
        throw Failure(.notAnswered, "the alert could not be sent for a day")
      }
      try await target.channel.send(try await withGoal(message))
    } catch {
      // The next process sends a message again that was in flight.
      guard error.code != .interrupted, !Task.isCancelled else { return }
      if let wait = PushRetry.wait(
        after: error, attempts: attempts, isHurried: isEnding && !due.isLeft)
      {
        if wait > Self.longPause { reportFailing(target, error, wait) }
        return try await blocking.run { [queue] () throws(Failure) in
          try queue.delay(
            message.key, attempts: attempts, until: Timestamp.now.adding(seconds: wait),
            for: target.pace)
        }
      }
      (delivery.status, delivery.error) = (.failed, error)
    }
    if delivery.status == .sent, state.withLock({ $0.failing.remove(target.pace.id) != nil }) {
      report(.sentence("'\(target.name)': messages are sent again"))
    }
    delivery.ts = Timestamp.now.milliseconds
    try await blocking.run { [queue, delivery] () throws(Failure) in
      try queue.end(message.key, delivery, for: target.pace)
    }
    try deliver(delivery)
  }

  /// Returns the given message; if it is about a gate of a run on this machine, with the run's goal.
  private func withGoal(_ message: PushMessage) async throws(Failure) -> PushMessage {
    guard message.alert.kind == .approvalGate, let stage = message.alert.agentId,
      let goal = await blocking.run({ [goal] in goal(stage) })
    else { return message }
    return message.with(goal: goal)
  }

  private func reportFailing(_ target: PushTarget, _ failure: Failure, _ wait: Double) {
    guard state.withLock({ $0.failing.insert(target.pace.id).inserted }) else { return }
    report(
      .sentence(
        "'\(target.name)': \(failure.explanation): trying again in \(Int(wait.rounded())) s"))
  }

  // MARK: Other processes

  /// Tells the outcomes of alerts that other processes had before this one.
  private func watch(_ target: PushTarget, _ bell: Ring) async throws(Failure) {
    var end: ContinuousClock.Instant?
    while !Task.isCancelled {
      let awaited = state.withLock { $0.awaited[target.pace.id] ?? [] }
      if isEnding {
        guard !awaited.isEmpty else { return }
        end = end ?? .now + Self.patience
        if let end, end <= .now {
          return report(
            .sentence(
              "\(awaited.count) of the alerts for '\(target.name)' are left to another push-notify")
          )
        }
      }
      guard !awaited.isEmpty else {
        await bell.wait(seconds: .infinity)
        continue
      }
      try await look(at: awaited.sorted(), of: target)
      await bell.wait(seconds: Self.look)
    }
  }

  private func look(at awaited: [String], of target: PushTarget) async throws(Failure) {
    let known = try await blocking.run { [queue] () throws(Failure) in
      try queue.takeOver([target.pace], at: .now)
      return try queue.known(awaited, target.pace)
    }
    for (id, known) in known {
      if case .waitsElsewhere = known { continue }
      state.withLock { _ = $0.awaited[target.pace.id]?.remove(id) }
      if case .ended(let delivery) = known { try deliver(delivery) }
    }
    ringAll()
  }
}

/// The rings that wake the tasks of one target.
private struct Bell: Sendable {
  private let rings: [Ring]

  init(_ count: Int) { rings = (0..<count).map { _ in Ring() } }

  subscript(index: Int) -> Ring { rings[index] }

  var last: Ring { rings[rings.count - 1] }

  func ring() {
    for ring in rings { ring.ring() }
  }
}

/// A ring that wakes one waiting task.
private final class Ring: Sendable {
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
