import Core
import HubWords
import TestSupport

/// A body or a frame with all of its members, one with those alone that it must have, and the place of
/// its schema.
struct WordCase {
  let schema: Contract.Place
  let full: any HubWord
  let least: any HubWord

  init(_ schema: Contract.Place, _ full: any HubWord, least: (any HubWord)? = nil) {
    (self.schema, self.full, self.least) = (schema, full, least ?? full)
  }
}

/// Words with random values.
struct RandomWords {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func all() -> [WordCase] { steering + lists + reports + events + devices + companion }

  private mutating func text() -> String {
    let scalars = Array("abc \n\t\0\"'\\/:{}[],\u{7F}\u{2028}é💡".unicodeScalars)
    let length = Int.random(in: 0...12, using: &random)
    return String(
      String.UnicodeScalarView((0..<length).map { _ in random.one(of: scalars, else: "x") }))
  }

  private mutating func number() -> Int { Int.random(in: -1_000_000...1_000_000, using: &random) }

  private mutating func texts() -> [String] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in text() }
  }

  /// A record with what a decoder would change: the form of a number, members of a newer version.
  private mutating func record() -> RecordJSON {
    let id = String(decoding: JSONString.literal(text()), as: UTF8.self)
    return RecordJSON(
      "{\"type\":\"agent\",\"id\":\(id),\"cost\":\(number()).50,\"of\":[1.0,[{}],\"],\"]}")
  }

  private mutating func records() -> [RecordJSON] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in record() }
  }

  private var steering: [WordCase] {
    mutating get {
      var gate = GateBody(summary: text())
      let least = gate
      (gate.agentId, gate.swarmId, gate.timeoutSeconds) = (text(), text(), Double(number()) / 8)
      gate.context = GateContext(why: text())
      gate.gateId = text()
      let value = Double(number()) / 16
      return [
        WordCase(
          .schema("ControlRequest"),
          ControlBody(
            action: random.one(of: ControlAction.allCases, else: .pause), reason: text(),
            requestId: text())),
        WordCase(
          .schema("DecisionRequest"),
          DecisionBody(decision: .approve, reason: text(), requestId: text()),
          least: DecisionBody(decision: .reject, reason: nil, requestId: nil)),
        WordCase(.schema("GateRequest"), gate, least: least),
        WordCase(
          .schema("ThresholdRequest"),
          ThresholdBody(value: value, then: .pause, reason: text(), requestId: text()),
          least: ThresholdBody(value: value, reason: nil, requestId: nil)),
        WordCase(
          .schema("ReasonRequest"), ReasonBody(reason: text(), requestId: text()),
          least: ReasonBody(reason: nil, requestId: nil)),
        WordCase(
          .post("/v1/controls/{requestId}"),
          ControlAnswer(agentId: text(), sessionId: text(), outcome: .refused, note: text()),
          least: ControlAnswer(agentId: text(), sessionId: text(), outcome: .applied)),
      ]
    }
  }

  private var lists: [WordCase] {
    mutating get {
      [
        WordCase(.get("/v1/swarms"), SwarmList(swarms: records())),
        WordCase(.get("/v1/agents"), AgentList(agents: records())),
        WordCase(.get("/v1/incidents"), IncidentList(incidents: records())),
        WordCase(.get("/v1/context-health"), ContextList(contextHealth: records())),
        WordCase(.get("/v1/skill-health"), SkillList(skillHealth: records())),
        WordCase(.get("/v1/usage"), UsageList(usage: records())),
        WordCase(.get("/v1/audit"), AuditList(audit: records())),
        WordCase(.get("/v1/thresholds"), ThresholdList(thresholds: records())),
        WordCase(.get("/v1/approval-gates"), GateList(approvalGates: records())),
        WordCase(.get("/v1/terminal/sessions"), TerminalList(sessions: records())),
      ]
    }
  }

  private var reports: [WordCase] {
    mutating get {
      var agent = AgentAnswer(agent: record())
      (agent.contextHealth, agent.skillHealth, agent.events) = (records(), records(), records())
      let series = CallSeries(calls: [number()], failures: [])
      return [
        WordCase(
          .get("/v1/swarms/{swarmId}"),
          SwarmAnswer(swarm: record(), agents: records(), incidents: records())),
        WordCase(.get("/v1/agents/{agentId}"), agent),
        WordCase(
          .get("/v1/incidents/{incidentId}/events"), IncidentEvents(events: records())),
        WordCase(
          .get("/v1/skill-health/{skillId}"),
          SkillAnswer(
            skillHealth: records(),
            byLatency: [CallLatency(milliseconds: Double(number()) / 4, calls: number())],
            byMinute: series, byHour: series)),
        WordCase(
          .get("/v1/approval-gates/{gateId}"),
          GateAnswer(approvalGate: record(), decisions: records(), result: record()),
          least: GateAnswer(approvalGate: record(), decisions: [], result: nil)),
        WordCase(
          .get("/v1/health"), HealthAnswer(code: text(), missing: text()), least: HealthAnswer()),
        WordCase(.get("/v1/protocol"), ProtocolAnswer()),
      ]
    }
  }

  private var events: [WordCase] {
    mutating get {
      var filters = EventFilters()
      (filters.swarmIds, filters.agentIds, filters.skillIds) = (texts(), texts(), texts())
      (filters.include, filters.severityGte, filters.text) = (texts(), text(), text())
      (filters.since, filters.until) = (text(), text())
      let rejected = Acknowledgement.Rejected(code: text(), explanation: text(), line: number())
      return [
        WordCase(
          .schema("Acknowledgement"),
          Acknowledgement(accepted: number(), lastId: text(), rejected: [rejected]),
          least: Acknowledgement(accepted: number(), lastId: nil, rejected: [])),
        WordCase(
          .get("/v1/events"), EventPage(events: records(), lastId: text(), gap: record()),
          least: EventPage(events: [], lastId: nil, gap: nil)),
        WordCase(
          .get("/v1/traces/{traceId}"),
          TraceAnswer(traceId: text(), events: records(), webUrl: text()),
          least: TraceAnswer(traceId: text(), events: [], webUrl: nil)),
        WordCase(.stream("filters"), filters, least: EventFilters()),
      ]
    }
  }

  private var devices: [WordCase] {
    mutating get {
      [
        WordCase(
          .schema("Registration"),
          DeviceRegistration(
            code: text(), deviceName: text(), devicePublicKey: text(), pushToken: text()),
          least: DeviceRegistration(code: text(), deviceName: text(), devicePublicKey: text())),
        WordCase(
          .schema("PageLink"), PageLinkRequest(scope: .read, name: text()),
          least: PageLinkRequest()),
        WordCase(.schema("Renewal"), TokenRenewal(refreshToken: text())),
        WordCase(
          .schema("PushToken"), PushTokenUpdate(pushToken: text()),
          least: PushTokenUpdate(pushToken: nil)),
        WordCase(
          .schema("Grant"),
          TokenGrant(
            deviceId: text(), accessToken: text(), expiresIn: number(), refreshToken: text())),
      ]
    }
  }

  private mutating func device() -> TrustedDevice {
    let at = Timestamp(milliseconds: Int64(abs(number())))
    return TrustedDevice(id: text(), name: text(), pairedAt: at, lastSeenAt: at)
  }

  private var companion: [WordCase] {
    mutating get {
      let least = device()
      var full = least
      (full.connectedAt, full.auth, full.via) = (least.pairedAt, text(), text())
      var status = CompanionStatus(
        ConnectedDevice(
          id: text(), name: text(), connectedAt: least.pairedAt, lastSeenAt: least.pairedAt))
      status.auth = SigningInvitation(keyid: text())
      status.pairing = PairingProgress(id: text(), device: full)
      let plain = PairingStarted(
        id: text(), code: text(), expiresAt: text(), qrPayload: text())
      var started = plain
      started.typingAfterSeconds = Double(number())
      let project = CompanionProject(
        id: text(), name: text(), localPath: text(), lastUpdatedAt: text())
      let chat = CompanionChat(id: text(), projectId: text(), title: text(), lastUpdatedAt: text())
      let message = CompanionMessage(id: text(), role: text(), text: text(), createdAt: text())
      return [
        WordCase(.schema("CompanionDevice"), full, least: least),
        WordCase(.schema("CompanionStatus"), status, least: CompanionStatus(nil)),
        WordCase(.schema("CompanionStarted"), started, least: plain),
        WordCase(
          .schema("CompanionStart"), PairingStart(ttlSeconds: Double(number())),
          least: PairingStart()),
        WordCase(
          .schema("CompanionCompletion"),
          PairingCompletion(
            pairingCode: text(), pairingToken: text(), deviceName: text(),
            devicePublicKey: text()),
          least: PairingCompletion(
            pairingCode: text(), pairingToken: nil, deviceName: text(), devicePublicKey: text())),
        WordCase(
          .schema("CompanionFailure"),
          CompanionFailure(error: text(), action: text(), code: text(), kind: text()),
          least: CompanionFailure(error: text(), action: nil, code: text(), kind: nil)),
        WordCase(.get("/companion/devices"), CompanionDeviceList(devices: [full, least])),
        WordCase(.get("/companion/projects"), CompanionProjectList(projects: [project])),
        WordCase(
          .get("/companion/projects/{projectId}/chats"), CompanionChatList(chats: [chat])),
        WordCase(.schema("CompanionProject"), project),
        WordCase(.schema("CompanionChat"), chat),
        WordCase(
          .schema("CompanionMessages"),
          CompanionMessages(chatId: text(), messages: [message], nextCursor: text()),
          least: CompanionMessages(chatId: text(), messages: [], nextCursor: nil)),
        WordCase(
          .schema("CompanionContinuation"),
          ChatContinuation(
            prompt: text(), projectPath: text(), model: text(), allowedTools: texts()),
          least: ChatContinuation(prompt: text())),
        WordCase(.frame("message"), AnswerFrame.message(message)),
        WordCase(
          .frame("delta"), AnswerFrame.delta(id: text(), text: text()),
          least: AnswerFrame.delta(id: nil, text: text())),
        WordCase(.frame("restart"), AnswerFrame.restart(id: text())),
        WordCase(
          .frame("error"), AnswerFrame.error(text(), action: text(), code: text()),
          least: AnswerFrame.error(text(), action: nil, code: text())),
      ]
    }
  }
}
