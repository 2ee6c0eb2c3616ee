import Core
import Pipelines
import Requests
import Synchronization

/// What people ask of a run while it is at work: its stages hold before their next call, or end.
final class RunControl: Sendable {
  private struct State {
    /// The stages that are to hold.
    var paused: Set<String> = []
    var termination: Failure?
    /// Stages that hold, and what lets them go on.
    var waiting: [(stageId: String, continuation: CheckedContinuation<Void, Never>)] = []
    /// The work of stages, by a number of its own.
    var work: [Int: Task<Failure?, Never>] = [:]
    var next = 0
    var ended: Set<String> = []
    var isOver = false
  }

  private let pipelineId: String
  private let stageIds: Set<String>
  private let state = Mutex(State())

  init(pipelineId: String, stageIds: [String]) {
    self.pipelineId = pipelineId
    self.stageIds = Set(stageIds)
  }

  /// Why the run was ended; nil while it was not.
  var termination: Failure? { state.withLock { $0.termination } }

  /// The run has ended: what is asked from now on comes too late.
  func finish() { state.withLock { $0.isOver = true } }

  /// Does what was asked.
  ///
  /// - Returns: What came of it.
  func apply(_ control: PendingControl) -> ControlOutcome {
    var going: [CheckedContinuation<Void, Never>] = []
    var work: [Task<Failure?, Never>] = []
    let outcome = state.withLock { state -> ControlOutcome in
      guard !state.isOver, !state.ended.contains(control.agentId) else { return .refused }
      switch control.action {
      case .pause: state.paused.formUnion(stages(of: control))
      case .resume: state.paused.subtract(stages(of: control))
      case .terminate:
        state.termination =
          state.termination
          ?? Failure(
            .userRejected, "terminated by \(control.actor): \(control.reason)",
            kind: .terminated)
        work = Array(state.work.values)
      }
      let isDue = { [state] (stageId: String) in !self.holds(stageId, state) }
      going = state.waiting.filter { isDue($0.stageId) }.map(\.continuation)
      state.waiting.removeAll { isDue($0.stageId) }
      return .applied
    }
    for continuation in going { continuation.resume() }
    for task in work { task.cancel() }
    return outcome
  }

  /// Does the work of a stage, which a termination cancels.
  func run(
    _ stageId: String, _ work: @escaping @Sendable () async -> Failure?
  ) async -> Failure? {
    let task = Task { await work() }
    let number = state.withLock { state in
      state.next += 1
      state.work[state.next] = task
      return state.next
    }
    // It may have come before there was a task to cancel.
    if termination != nil { task.cancel() }
    defer {
      state.withLock { state in
        state.work[number] = nil
        state.ended.insert(stageId)
      }
    }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
      letGo()
    }
  }

  /// Holds a stage as long as it is paused.
  ///
  /// - Throws: Why the run was ended; `Interrupted` when the process is to end.
  func ready(_ stageId: String) async throws(Failure) {
    while state.withLock({ holds(stageId, $0) }), !Task.isCancelled {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          guard holds(stageId, state), !Task.isCancelled else { return true }
          state.waiting.append((stageId, continuation))
          return false
        }
        if isDue { continuation.resume() }
      }
    }
    if let termination { throw termination }
    if Task.isCancelled { throw Failure(.interrupted, "interrupted before the call") }
  }

  /// Why work ended: a cancelled call may have been ended by a person.
  func cause(of failure: Failure) -> Failure {
    failure.code == .interrupted ? termination ?? failure : failure
  }

  private func letGo() {
    let going = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting.map(\.continuation)
    }
    for continuation in going { continuation.resume() }
  }

  /// The stages that a control is for: what is asked of the pipeline is asked of all.
  private func stages(of control: PendingControl) -> Set<String> {
    control.agentId == pipelineId ? stageIds : [control.agentId]
  }

  private func holds(_ stageId: String, _ state: State) -> Bool {
    state.termination == nil && state.paused.contains(stageId)
  }
}
