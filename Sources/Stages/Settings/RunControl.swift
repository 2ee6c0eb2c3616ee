import Core
import Pipelines
import Requests
import Synchronization

/// The control state of a run.
///
/// Its stages can be paused before their next call, or terminated.
final class RunControl: Sendable {
  private struct State {
    /// The ids of the paused stages.
    var paused: Set<String> = []
    var termination: Failure?
    /// The stages that wait because they are paused, and the continuations that resume them.
    var waiting: [(stageId: String, continuation: CheckedContinuation<Void, Never>)] = []
    /// The running tasks of stages, by a number that is counted up for each task.
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

  /// The failure by which the run was terminated; nil if it was not.
  var termination: Failure? { state.withLock { $0.termination } }

  /// Marks the run as ended, so that later control requests are rejected.
  func finish() { state.withLock { $0.isOver = true } }

  /// Applies the given control request.
  ///
  /// - Returns: The outcome of the request.
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

  /// Runs `work` for a stage in a task that is cancelled if the run is terminated.
  func run(
    _ stageId: String, _ work: @escaping @Sendable () async -> Failure?
  ) async -> Failure? {
    let task = Task { await work() }
    let number = state.withLock { state in
      state.next += 1
      state.work[state.next] = task
      return state.next
    }
    // The run may have been terminated before the task existed.
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
      resumeWaiting()
    }
  }

  /// Waits while the given stage is paused.
  ///
  /// - Throws: The failure by which the run was terminated; `Interrupted` if the task was
  ///   cancelled.
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

  /// Returns the cause of the given failure.
  ///
  /// If the run was terminated, the cause of an interruption is that termination. Otherwise it is
  /// the failure itself.
  func cause(of failure: Failure) -> Failure {
    failure.code == .interrupted ? termination ?? failure : failure
  }

  private func resumeWaiting() {
    let going = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting.map(\.continuation)
    }
    for continuation in going { continuation.resume() }
  }

  /// Returns the ids of the stages to which the given control applies: one stage, or all of them.
  private func stages(of control: PendingControl) -> Set<String> {
    control.agentId == pipelineId ? stageIds : [control.agentId]
  }

  private func holds(_ stageId: String, _ state: State) -> Bool {
    state.termination == nil && state.paused.contains(stageId)
  }
}
