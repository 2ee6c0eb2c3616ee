import Core
import Events
import Foundation
import HTTPTypes
import HubWords
import Requests
import Storage
import Watching

/// The routes that control agents, decide gates and change settings.
///
/// The audit log records each use.
struct SteeringRoutes: Sendable {
  let desk: HubDesk
  let runners: RunnerDesk

  var all: [HubRoute] {
    [
      .post("/v1/agents/{agentId}/control", for: .people(.steer)) {
        (request) async throws(Failure) in
        try await control(.agent, request)
      },
      .post("/v1/swarms/{swarmId}/control", for: .people(.steer)) {
        (request) async throws(Failure) in
        try await control(.swarm, request)
      },
      .get("/v1/controls/{requestId}", for: .people(.read)) { (request) async throws(Failure) in
        try HubAnswer(try await receipt(try request.part("requestId")))
      },
      .get("/v1/approval-gates", for: .people(.read)) { (request) async throws(Failure) in
        try await gates(request)
      },
      .post("/v1/approval-gates", for: .senders) { (request) async throws(Failure) in
        try await open(request)
      },
      .get("/v1/approval-gates/{gateId}", for: .devices) { (request) async throws(Failure) in
        try await gate(request)
      },
      .post("/v1/approval-gates/{gateId}/decision", for: .devices) {
        (request) async throws(Failure) in
        try await decide(request)
      },
      .post("/v1/incidents/{incidentId}/close") { (request) async throws(Failure) in
        try await change(request) { (steering, id, by) throws(Failure) in
          try steering.close(incident: id, by: by)
        }
      },
      .post("/v1/incidents/{incidentId}/reopen") { (request) async throws(Failure) in
        try await change(request) { (steering, id, by) throws(Failure) in
          try steering.reopen(incident: id, by: by)
        }
      },
      .get("/v1/thresholds/{kind}/{id}", for: .people(.read)) { (request) async throws(Failure) in
        try await threshold(request)
      },
      .put("/v1/thresholds/{kind}/{id}") { (request) async throws(Failure) in
        try await setThreshold(request)
      },
    ]
  }

  /// Returns the sender, the reason and the id of the given request.
  ///
  /// They are validated.
  ///
  /// - Throws: As ``check(_:_:)``.
  private static func by(
    _ request: HubRequest, _ requestId: String?, _ reason: String?
  ) throws(Failure) -> Steering.Request {
    try check(requestId, reason)
    return Steering.Request(
      id: requestId, actor: request.actor, deviceId: request.visitor?.deviceId, reason: reason)
  }

  /// Checks the lengths of the given request id and reason.
  private static func check(_ requestId: String?, _ reason: String?) throws(Failure) {
    // Lengths are in Unicode scalars, as in JSON Schema.
    if let requestId, !(1...200).contains(requestId.unicodeScalars.count) {
      throw Failure(.badInput, "'requestId' must have 1 to 200 characters", input: "requestId")
    }
    if let reason, reason.unicodeScalars.count > 4000 {
      throw Failure(.badInput, "'reason' is longer than 4000 characters", input: "reason")
    }
  }

  private func control(
    _ target: ControlTarget, _ request: HubRequest
  ) async throws(Failure) -> HubAnswer {
    let body = try await request.object(ControlBody.self)
    let receipt = try await control(
      ControlRequest(
        requestId: body.requestId, target: target, id: try request.part(target.rawValue + "Id"),
        action: body.action, reason: body.reason, actor: request.actor,
        deviceId: request.visitor?.deviceId))
    return try HubAnswer(receipt, status: receipt.outcome == .accepted ? .accepted : .ok)
  }

  /// Sends the given control, and returns its receipt.
  ///
  /// - Throws: `BadInput` if the reason or the id of the request is invalid; as `Controls.submit`.
  func control(_ asked: ControlRequest) async throws(Failure) -> ControlReceipt {
    try Self.check(asked.requestId, asked.reason)
    guard !asked.reason.allSatisfy(\.isWhitespace) else {
      throw Failure(.badInput, "'reason' must not be empty", status: 422, input: "reason")
    }
    let desk = desk
    return try await desk.write { () throws(Failure) in
      let controls = Controls(store: desk.store, journal: desk.journal, limits: desk.limits)
      let receipt = try controls.submit(asked)
      try controls.record(receipt)
      return receipt
    }
  }

  /// Returns the current receipt of the control with the given id.
  ///
  /// - Throws: `NotFound` if there is no such control.
  func receipt(_ id: String) async throws(Failure) -> ControlReceipt {
    let desk = desk
    let receipt = try await desk.write { () throws(Failure) in
      try desk.store.settle(id)
    }
    guard let receipt else {
      throw Failure(.notFound, "there is no control '\(Visible.line(id))'", input: id)
    }
    return receipt
  }

  private func gates(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let status = try request.choice("status", GateStatus.self)
    let store = desk.store
    let gates = try await desk.write { () throws(Failure) in
      try Gates.list(store, withDecided: status != .pending)
    }
    let asked = gates.filter { status == nil || $0.status == status }
    return try HubAnswer(GateList(approvalGates: try desk.links.texts(of: asked)))
  }

  private func gate(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let id = try request.part("gateId")
    try await admit(request, to: id, asking: .read, for: nil)
    let (gate, decisions, result) = try await gate(id)
    return try HubAnswer(
      GateAnswer(
        approvalGate: RecordJSON(try desk.links.json(gate)),
        decisions: try desk.links.texts(of: decisions),
        result: try result.map { (result) throws(Failure) in RecordJSON(try result.json()) }))
  }

  /// Returns the given gate, the requests to decide it, and the result that it concerns.
  ///
  /// - Throws: `NotFound` if there is no such gate.
  func gate(
    _ id: String
  ) async throws(Failure) -> (gate: ApprovalGate, decisions: [DecisionReceipt], result: Artifact?) {
    let store = desk.store
    return try await desk.write { () throws(Failure) in
      guard let found = try Gates.find(id, in: store) else {
        throw Failure(.notFound, "there is no gate '\(Visible.line(id))'", input: id)
      }
      return (found.gate, found.decisions, try Gates.result(of: found.gate, in: store))
    }
  }

  private func open(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let body = try await request.object(GateBody.self)
    guard !body.summary.allSatisfy(\.isWhitespace), body.summary.unicodeScalars.count <= 10_000
    else {
      throw Failure(.badInput, "'summary' must have 1 to 10000 characters", input: "summary")
    }
    if let seconds = body.timeoutSeconds, !(seconds > 0 && seconds <= 366 * 86_400) {
      throw Failure(
        .badInput, "'timeoutSeconds' must be above 0 and at most a year", input: "timeoutSeconds")
    }
    if let id = body.gateId, UUID(uuidString: id)?.uuidString.lowercased() != id {
      throw Failure(.badInput, "'gateId' must be a UUID in lower case", input: "gateId")
    }
    var question = GateQuestion(body.summary, by: request.actor)
    question.gateId = body.gateId
    question.context = body.context ?? GateContext()
    question.agentId = body.agentId
    question.swarmId = body.swarmId
    question.timeout = body.timeoutSeconds
    let (desk, asked, device) = (desk, question, request.visitor?.deviceId)
    let gate = try await desk.write { () throws(Failure) in
      let gate = try Gates(store: desk.store, journal: desk.journal).open(asked)
      if let device { try desk.store.base.write { try $0.record(gate: gate.gateId, by: device) } }
      return gate
    }
    return try HubAnswer(gate, desk.links, status: .created)
  }

  /// Checks that a device with limited scope may access the given gate.
  ///
  /// A device whose scope does not cover the given one must run the gate's agent or have opened the
  /// gate. The run may have ended. Only a gate of a stage may be approved by the device that opened
  /// it: otherwise, a hook could approve the call that it asks about.
  private func admit(
    _ request: HubRequest, to gateId: String, asking scope: DeviceScope, for decision: Decision?
  ) async throws(Failure) {
    guard let visitor = request.visitor, !visitor.scope.covers(scope) else { return }
    let store = desk.store
    let (gate, sender) = try await desk.read { () throws(Failure) in
      (try store.gate(gateId), try store.base.read { try $0.device(ofGate: gateId) })
    }
    let isSender = sender != nil && sender == visitor.deviceId
    let suffices = gate?.stageId != nil || decision != .approve
    let runsAgent = gate?.agentId.map { runners.holds($0, on: visitor.deviceId) } ?? false
    guard isSender && suffices || runsAgent else {
      throw Failure(
        .permissionDenied, "'\(Visible.line(visitor.name))' runs no agent that waits for the gate")
    }
  }

  private func decide(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let body = try await request.object(DecisionBody.self)
    let id = try request.part("gateId")
    try await admit(request, to: id, asking: .decide, for: body.decision)
    let verdict = try await decide(request, body)
    guard let failure = verdict.failure else { return try HubAnswer(verdict.receipt) }
    return HubAnswer(
      failure, members: ErrorMembers(receipt: RecordJSON(try verdict.receipt.json())))
  }

  /// Decides the gate that the request names.
  ///
  /// - Throws: `BadInput` if the id of the request or the reason is invalid; as `Gates.decide`.
  func decide(
    _ request: HubRequest, _ body: DecisionBody
  ) async throws(Failure) -> Gates.Verdict {
    let by = try Self.by(request, body.requestId, body.reason)
    if body.decision == .reject, let fault = Gates.fault(ofReason: body.reason ?? "") {
      throw Failure(
        .badInput, fault.prefix(1).lowercased() + fault.dropFirst().dropLast(), status: 422,
        input: "reason")
    }
    let (desk, id) = (desk, try request.part("gateId"))
    return try await desk.write { () throws(Failure) in
      try Gates(store: desk.store, journal: desk.journal)
        .decide(id, body.decision, by: by, limits: desk.limits, isHere: true)
    }
  }

  private func change(
    _ request: HubRequest,
    _ change:
      @escaping @Sendable (
        Steering, _ incident: String, _ by: Steering.Request
      ) throws(Failure) -> Incident
  ) async throws(Failure) -> HubAnswer {
    let body = try await request.object(ReasonBody.self)
    let by = try Self.by(request, body.requestId, body.reason)
    let id = try request.part("incidentId")
    let desk = desk
    return try HubAnswer(
      try await desk.write { () throws(Failure) in
        try change(desk.watcher.steering(limits: desk.limits), id, by)
      }, desk.links)
  }

  private static func kind(_ request: HubRequest) throws(Failure) -> Threshold.Kind {
    let text = try request.part("kind")
    guard let kind = Threshold.Kind(rawValue: text) else {
      let known = Threshold.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        .notFound, "unknown threshold '\(text)': expected one of \(known)", input: text)
    }
    return kind
  }

  private func threshold(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let (kind, id) = (try Self.kind(request), try request.part("id"))
    let all = try await desk.standing { (standing) throws(Failure) in try standing.thresholds() }
    let own = all.first { $0.kind == kind && $0.id == id }
    guard var found = own ?? all.first(where: { $0.kind == kind && $0.id == nil }) else {
      throw Failure(.notFound, "there is no threshold '\(kind.rawValue)'", input: kind.rawValue)
    }
    if id != "all" { found.id = id }
    return try HubAnswer(found)
  }

  private func setThreshold(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let (kind, id) = (try Self.kind(request), try request.part("id"))
    let body = try await request.object(ThresholdBody.self)
    let by = try Self.by(request, body.requestId, body.reason)
    guard id.utf8.count <= 1000 else {
      throw Failure(.badInput, "an id has at most 1000 bytes", status: 422, input: "id")
    }
    guard kind.allows(body.value) else {
      throw Failure(
        .badInput, "'value' must be a number of \(kind.unit) that is not negative", status: 422,
        input: "value")
    }
    guard body.then == nil || kind.allowsAction else {
      throw Failure(
        .badInput, "'then' is not allowed for '\(kind.rawValue)'", status: 422, input: "then")
    }
    let desk = desk
    return try HubAnswer(
      try await desk.write { () throws(Failure) in
        try desk.watcher.steering(limits: desk.limits)
          .set(kind, for: id == "all" ? nil : id, to: body.value, then: body.then, by: by)
      })
  }
}
