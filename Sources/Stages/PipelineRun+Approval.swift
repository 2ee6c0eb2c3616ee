import Core
import Pipelines
import Requests

extension PipelineRun {
  /// Returns the gate for approval of the given result.
  func gate(of stage: Stage, _ artifact: Artifact) -> ApprovalGate {
    let now = Timestamp.now
    let project = pipeline.namedProject.map { " for '\($0)'" } ?? ""
    var gate = ApprovalGate(
      ts: now.milliseconds, gateId: Identifier.make(), status: .pending,
      summary: "Approve the \(stage.role.rawValue)'s result\(project)",
      requestedAt: now)
    gate.expiresAt = options.gateTimeout.map { now.adding(seconds: $0) }
    gate.requestedBy = "stage-run"
    gate.agentId = stage.id
    gate.pipelineId = pipeline.id
    gate.stageId = stage.id
    gate.context = GateContext(
      why: "the run asks for approval after each stage",
      impact: "the run continues if approved and ends if rejected",
      recommendedAction: "read it with: stage-run --show \(pipeline.id)")
    gate.labels = artifact.labels
    return gate
  }

  /// Waits until the given result is approved or rejected.
  func judge(_ stage: Stage, _ artifact: Artifact, isNew: Bool) async throws(Failure) {
    try store.expireGates()
    guard var gate = try store.gate(ofStage: stage.id) else {
      throw Failure(.storageFailed, "the gate of stage '\(stage.id)' is missing")
    }
    if gate.status == .pending {
      if !isNew || options.yolo != true { try emit(gate) }
      if options.yolo == true {
        _ = try store.decide(
          gate: gate.gateId, .approve, reason: "run with --yolo", actor: LoginName.current,
          isHere: true)
        gate = try store.gate(gate.gateId) ?? gate
      } else {
        guard let decided = try await services.decide(gate, artifact) else {
          throw Failure(
            .paused,
            "gate '\(gate.gateId)' waits for approval of the \(stage.role.rawValue)'s result",
            input: gate.gateId)
        }
        gate = decided
      }
    }
    try await apply(gate, to: stage)
  }

  private func apply(_ gate: ApprovalGate, to stage: Stage) async throws(Failure) {
    var stage = stage
    guard gate.status != .approved else {
      try emit(gate)
      stage.status = .approved
      stage.approved = true
      try store.update(stage)
      return try emit(stage)
    }
    let receipt = try store.decisions(atGate: gate.gateId).first { $0.status == gate.status }
    let reason = receipt?.reason ?? gate.status.rawValue
    let failure = Failure(
      .userRejected, "the \(stage.role.rawValue)'s result was rejected: \(reason)",
      kind: gate.status == .expired ? .expired : nil, input: stage.id)
    stage.status = .failed
    stage.error = failure
    try store.update(stage)
    try? emit(gate)
    try? emit(stage)
    throw failure
  }
}
