import Core
import Events
import Foundation
import HubWords
import Requests
import Storage
import Synchronization
import Tokens

/// The connections through which a hub steers agents on other hosts.
///
/// Each connected agent is registered under the hub's lock and lease. Controls therefore reach it
/// as they reach an agent of this machine. An agent whose connection is lost is released, so that a
/// control for it is answered at once.
final class RunnerDesk: Sendable {
  /// A connection that serves the agents of one run.
  struct Connection: Sendable {
    fileprivate let number: Int
    fileprivate let agentIds: [String]
    /// The messages to send.
    ///
    /// The sequence ends with the connection.
    let messages: AsyncStream<Message>
    fileprivate let continuation: AsyncStream<Message>.Continuation

    /// Ends the messages.
    func end() { continuation.finish() }
  }

  /// An agent that is connected, or that may soon reconnect.
  private struct Seat {
    var lease: LeasedRunner
    /// The id of the agent's device.
    ///
    /// It is also nil for an agent of an earlier hub that has not yet reconnected.
    var device: String?
    var connection: Connection?
    var connectedAt = ContinuousClock.now
    var sent: Set<PendingControl> = []
    /// The status that was last sent for each of the agent's gates, by gate id.
    var reported: [String: String] = [:]
    /// The time at which the agent is released if it has not reconnected; nil while it is
    /// connected.
    var releasedAt: ContinuousClock.Instant?

    var runner: Runner { lease.runner }
  }

  private struct State {
    var seats: [String: Seat] = [:]
    var count = 0
    var beatAt = ContinuousClock.now
    var isEnding = false
  }

  private let desk: HubDesk
  private let store: Store
  private let lock: FileLock
  private let state = Mutex(State())
  private let end = Interruption()
  private var holder: String { desk.records.holder }

  /// The time within which an agent of an earlier hub must reconnect.
  private static let patience = Duration.seconds(10)
  /// The time within which an agent must reconnect if it owes an answer, or was told to reconnect.
  private static let shortPatience = Duration.seconds(5)
  /// The time after which a connected agent is told to reconnect.
  ///
  /// The hub thereby notices a machine that has vanished.
  private static let longest = Duration.seconds(120)
  /// The longest note of an agent, in characters.
  private static let longestNote = 300
  private static let beat = Duration.seconds(15)
  /// The number of milliseconds for which changes of the store are collected before they are read.
  private static let pause: Int32 = 20

  /// Creates a desk that waits until the agents of the previous hub reconnect.
  ///
  /// - Parameters:
  ///   - desk: The files of the hub.
  ///   - lock: The lock from ``lock(_:)``. It is held for the lifetime of the desk.
  /// - Throws: `StorageFailed` if the store cannot be read or written.
  init(_ desk: HubDesk, _ lock: consuming FileLock) throws(Failure) {
    self.desk = desk
    self.lock = lock
    store = try desk.records.store()
    let left = try store.runners(lock: desk.records.holder)
    state.withLock { state in
      for lease in left {
        state.seats[lease.runner.agentId] = Seat(lease: lease, releasedAt: .now + Self.patience)
      }
    }
    let changes = try store.base.wakeUp(end)
    Thread.detachNewThread { [self] in work(changes) }
  }

  /// Acquires the lock under which only one hub uses the given directories.
  ///
  /// - Throws: `Busy` if another hub uses these directories; `StorageFailed` if the lock file
  ///   cannot be used.
  static func lock(_ directories: Directories) throws(Failure) -> FileLock {
    if let lock = try FileLock.ifFree(directories.state + "/" + OwnHub.lockName) { return lock }
    throw Failure(
      .busy, "another hub uses '\(directories.data)'", input: directories.data,
      nextStep: "stop it, or set AGENTPIPES_HOME to another folder")
  }

  /// Ends all connections.
  ///
  /// The agents will reconnect to the next hub.
  func close() {
    let seats = state.withLock { state in
      state.isEnding = true
      return state.seats
    }
    for seat in seats.values { seat.connection?.end() }
    end.fire(signal: SIGTERM)
  }

  // MARK: Agents

  /// Checks that the given agents may connect.
  ///
  /// - Throws: `Conflict` if another process runs one of the agents; `StorageFailed` if the store
  ///   cannot be read.
  func check(_ runners: [Runner], on device: String?) async throws(Failure) {
    try await desk.read { [self] () throws(Failure) in try judge(runners, on: device) }
  }

  private func judge(_ runners: [Runner], on device: String?) throws(Failure) {
    let living = try store.livingRunners()
    for runner in runners {
      let isTaken = state.withLock { state in
        guard let seat = state.seats[runner.agentId], seat.connection != nil else { return false }
        return seat.runner.sessionId != runner.sessionId || seat.device != device
      }
      guard !isTaken, !living.contains(where: { isElsewhere($0, runner) }) else {
        throw Failure.running(runner)
      }
    }
  }

  /// Returns `true` if the given living runner, which may be of another hub, is another process of
  /// the agent of the given runner.
  private func isElsewhere(_ living: Runner, _ runner: Runner) -> Bool {
    // Its last hub may not know yet that the connection is lost.
    living.agentId == runner.agentId && living.lock != holder
      && (living.sessionId != runner.sessionId || !desk.records.isHeldByHub(living.lock))
  }

  /// Connects the given agents, and ends an earlier connection of the same run.
  ///
  /// - Parameters:
  ///   - runners: The agents. The hub registers them under its own lock.
  ///   - device: The id of the agents' device.
  /// - Returns: The connection, which delivers all unanswered and all later controls.
  /// - Throws: As ``check(_:on:)``; `Overloaded` if too many requests wait.
  func connect(_ runners: [Runner], on device: String?) async throws(Failure) -> Connection {
    let runners = runners.map {
      Runner(
        agentId: $0.agentId, swarmId: $0.swarmId, sessionId: $0.sessionId, lock: holder)
    }
    return try await desk.write { [self] () throws(Failure) in
      try judge(runners, on: device)
      // In the same transaction, because another run of an agent may connect to another hub.
      let leases = try store.register(runners) { [self] in isElsewhere($0, $1) }
      let (connection, earlier) = state.withLock { state in
        state.count += 1
        let (messages, continuation) = AsyncStream<Message>.makeStream()
        let connection = Connection(
          number: state.count, agentIds: runners.map(\.agentId), messages: messages,
          continuation: continuation)
        let earlier = leases.compactMap { lease in
          state.seats.updateValue(
            Seat(lease: lease, device: device, connection: connection),
            forKey: lease.runner.agentId)
        }
        if state.isEnding { connection.end() }
        return (connection, earlier.compactMap(\.connection))
      }
      for connection in earlier { connection.end() }
      try sendControls()
      return connection
    }
  }

  /// Ends the given connection.
  ///
  /// Its agents are released, unless they are expected to reconnect soon.
  func disconnect(_ connection: Connection) async {
    connection.end()
    do throws(Failure) {
      try await desk.write { [self] () throws(Failure) in
        let waits = try !store.pendingControls(agents: connection.agentIds).isEmpty
        let gone = state.withLock { state -> [LeasedRunner] in
          guard !state.isEnding else { return [] }
          return connection.agentIds.compactMap { agent in
            guard var seat = state.seats[agent], seat.connection?.number == connection.number
            else { return nil }
            seat.connection = nil
            let isExpected = waits || seat.connectedAt + Self.longest <= .now
            seat.releasedAt = .now + (isExpected ? Self.shortPatience : .zero)
            state.seats[agent] = seat
            return isExpected ? nil : seat.lease
          }
        }
        try release(gone)
      }
    } catch {
      // The store cannot be used now, so the agents are released later.
      state.withLock { state in
        for agent in connection.agentIds
        where state.seats[agent]?.connection?.number == connection.number {
          state.seats[agent]?.connection = nil
          state.seats[agent]?.releasedAt = .now + Self.patience
        }
      }
    }
  }

  /// Records the answer that an agent gave to the control with the given request id.
  ///
  /// - Returns: The receipt of the control, even if it was already answered.
  /// - Throws: `NotFound` if the agent is not connected or the control does not exist;
  ///   `StorageFailed` if the store or the log cannot be written.
  func answer(
    _ requestId: String, _ answer: ControlAnswer, on device: String?
  ) async throws(Failure) -> ControlReceipt {
    try await desk.write { [self] () throws(Failure) in
      let agentId = answer.agentId
      let seat = state.withLock { $0.seats[agentId] }
      guard let seat, seat.connection != nil, seat.device == device,
        seat.runner.sessionId == answer.sessionId
      else {
        // Its last hub may have ended after it stored the answer, which is not sent again then.
        let event = try store.earlierAnswer(
          to: requestId, ofAgent: agentId, session: answer.sessionId)
        if let event { try desk.journal.append([event]) }
        throw Failure(.notFound, "agent '\(agentId)' is not connected", input: agentId)
      }
      let note = answer.note.map { String($0.prefix(Self.longestNote)) }
      let answered = try store.answer(
        requestId, of: seat.runner, answer.outcome, note: note)
      guard let (event, receipt) = answered else {
        throw Failure(.notFound, "there is no request '\(requestId)'", input: requestId)
      }
      // If this fails, the agent sends its answer again.
      if let event { try desk.journal.append([event]) }
      return receipt
    }
  }

  /// Returns `true` if the given device runs the given agent.
  ///
  /// The device then owns the agent's gates.
  func holds(_ agentId: String, on device: String?) -> Bool {
    state.withLock { $0.seats[agentId].map { $0.device == device } ?? false }
  }

  // MARK: Controls

  private func work(_ changes: RecordWait) {
    var renewal = ContinuousClock.now
    var hasFailed = false
    while end.signal == nil {
      do throws(Failure) {
        if renewal <= .now {
          try store.renewLease(of: holder)
          if desk.records.isShared { try leaveMoved() }
          renewal = .now + store.lease.pause
          // After an outage, agents need time to return.
          if hasFailed { awaitAbsent() }
          hasFailed = false
        }
        try sendControls()
        try releaseAbsent()
        _ = try changes(1000)
        // A flood of events changes the folder all the time.
        _ = try end.isReadable(-1, within: Self.pause)
      } catch {
        guard error.code != .interrupted else { return }
        hasFailed = true
        if desk.records.isShared, renewal + .seconds(store.lease.seconds) <= .now { letGo() }
        // The store may be readable again after a second.
        do throws(Failure) { _ = try end.isReadable(-1, within: 1000) } catch { return }
      }
    }
  }

  /// Sends each connected agent its new controls.
  private func sendControls() throws(Failure) {
    guard state.withLock({ $0.seats.contains { $0.value.connection != nil } }) else { return }
    let pending = try store.pendingControls(lock: holder)
    try sendGates()
    state.withLock { state in
      for control in pending {
        guard let connection = state.seats[control.agentId]?.connection,
          state.seats[control.agentId]?.sent.insert(control).inserted ?? false
        else { continue }
        connection.continuation.yield(.control(control))
      }
      guard state.beatAt + Self.beat <= .now else { return }
      state.beatAt = .now
      for seat in state.seats.values {
        seat.connection?.continuation.yield(.beat)
        if seat.connectedAt + Self.longest <= .now { seat.connection?.end() }
      }
    }
  }

  /// Sends each connected agent those of its gates that have a new status.
  private func sendGates() throws(Failure) {
    for (id, agent, status) in try store.gates(lock: holder) {
      let connection = state.withLock { state -> Connection? in
        guard let seat = state.seats[agent], seat.reported[id] != status else { return nil }
        return seat.connection
      }
      guard let connection, let gate = try store.gate(id) else { continue }
      let decisions = try store.decisions(atGate: id).map { (receipt) throws(Failure) in
        RecordJSON(try receipt.json())
      }
      connection.continuation.yield(
        .gate(
          GateAnswer(
            approvalGate: RecordJSON(try gate.json()), decisions: decisions, result: nil)))
      // A gate that could not be read is sent the next time, and to a newer connection as well.
      state.withLock { state in
        guard state.seats[agent]?.connection?.number == connection.number else { return }
        state.seats[agent]?.reported[id] = status
      }
    }
  }

  /// Ends all connections, because the leases have ended: the agents then try other hubs.
  private func letGo() {
    for seat in state.withLock(\.seats).values { seat.connection?.end() }
  }

  /// Gives the agents that are not connected time to reconnect.
  private func awaitAbsent() {
    state.withLock { state in
      for agent in state.seats.keys where state.seats[agent]?.connection == nil {
        state.seats[agent]?.releasedAt = .now + Self.patience
      }
    }
  }

  /// Lets go of the agents that have connected to another hub, and of those that never connected.
  private func leaveMoved() throws(Failure) {
    let seats = state.withLock(\.seats)
    let moved = try store.livingRunners().filter {
      $0.lock != holder && seats[$0.agentId]?.runner.sessionId == $0.sessionId
    }
    for runner in moved {
      let seat = state.withLock { state -> Seat? in
        // It may have come back since.
        guard let seat = state.seats[runner.agentId],
          seat.lease.number == seats[runner.agentId]?.lease.number
        else { return nil }
        return state.seats.removeValue(forKey: runner.agentId)
      }
      seat?.connection?.end()
    }
    // A connection may have failed after its lease was stored, which would be renewed forever.
    for lease in try store.runners(lock: holder) {
      state.withLock { state in
        guard state.seats[lease.runner.agentId] == nil else { return }
        state.seats[lease.runner.agentId] = Seat(lease: lease, releasedAt: .now + Self.patience)
      }
    }
  }

  /// Releases the agents that did not reconnect in time.
  private func releaseAbsent() throws(Failure) {
    let gone = state.withLock { state in
      state.seats.values.filter { $0.connection == nil && $0.releasedAt ?? .now <= .now }
        .map(\.lease)
    }
    try release(gone)
  }

  /// Ends the given leases, except those of agents that have connected since.
  private func release(_ leases: [LeasedRunner]) throws(Failure) {
    guard !leases.isEmpty else { return }
    try store.release(leases)
    // A seat stays until its lease has ended, so that a release that failed is repeated.
    state.withLock { state in
      for lease in leases
      where state.seats[lease.runner.agentId]?.lease.number == lease.number {
        state.seats[lease.runner.agentId] = nil
      }
    }
  }
}
