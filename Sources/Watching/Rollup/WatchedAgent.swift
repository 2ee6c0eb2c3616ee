import Core
import Events

/// What is known of an agent, or of a run, which is the agent of its swarm.
struct WatchedAgent: WatchedDocument {
  static let kind = "agent"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedAgent>> { \.agents }

  var id: String
  var swarmId: String?
  var sessionId: String?
  /// As it said last.
  var status: AgentStatus = .running
  var task: String?
  /// The tmux session that it was started in.
  var terminal: String?
  /// How often it is heard of as long as it lives, in milliseconds; nil for one that never said.
  var heartbeat: Int64?
  var startedAt: Int64?
  var endedAt: Int64?
  /// The span of its run that ended last.
  var endedSpan: String?
  /// When it was last heard of, and when of more than that it lives.
  var heardAt: Int64
  var workedAt: Int64
  var usage: Usage?
  var costUSD: Double?
  /// What its calls cost; nil before the first, and where an earlier version kept nothing of it.
  var money: RunMoney?
  var events = 0
  var errors = 0
  /// When it did something lately; nil where an earlier version kept nothing of it.
  var activity: ActivityWindow?
  /// Whether what it said last of its run was that of a workflow; earlier versions kept nothing of it.
  var isWorkflow: Bool? = false
  /// When it was first heard of after a long silence; nil for one that tells how its run stands, and
  /// for one of an earlier version.
  var soundedAt: Int64?

  var parent: String? { swarmId }
  var updatedAt: Int64 { heardAt }
  /// One that is not done, or not known to be: it may be at work, or wait, or be lost.
  var liveUntil: Int64? {
    guard status.isActive else { return nil }
    let isUnsaid = endedAt == nil && heartbeat == nil && startedAt == nil
    return isUnsaid ? heardAt + Self.unsaid : .max
  }

  init(id: String, heardAt: Int64) {
    self.id = id
    self.heardAt = heardAt
    workedAt = heardAt
    soundedAt = heardAt
  }

  /// Whether it is the run of a whole swarm; an agent may have its swarm's id, too.
  var isRun: Bool { id == swarmId && isWorkflow ?? true }

  /// How often it is to be heard of, in milliseconds.
  var interval: Int64 { heartbeat ?? Self.usualHeartbeat }

  private static let usualHeartbeat: Int64 = 15_000
  /// For how long an agent that never said that it began is taken to be at work, in milliseconds.
  private static let unsaid: Int64 = 300_000

  /// How long such an agent may be silent: no longer than it was heard of, so that one line alone makes
  /// nobody work.
  private var unsaidSilence: Int64 {
    guard status == .running, let soundedAt else { return Self.unsaid }
    return min(Self.unsaid, heardAt - soundedAt)
  }

  /// How it stands now: one that nothing was heard of for two heartbeats is lost.
  func status(at now: Int64) -> AgentStatus {
    guard status.isActive, endedAt == nil else { return status }
    guard heartbeat != nil else {
      return startedAt == nil && now - heardAt > unsaidSilence ? .finished : status
    }
    return now - heardAt > 2 * interval ? .lost : status
  }

  /// Heartbeats for which it did nothing else.
  func idleBeats(at now: Int64) -> Double {
    guard status == .running, heartbeat != nil, endedAt == nil else { return 0 }
    return Double(now - workedAt) / Double(interval)
  }

  /// The agent as a record.
  func record(at now: Int64) -> Agent {
    Agent(
      id: id, swarmId: swarmId, sessionId: sessionId, status: status(at: now), taskSummary: task,
      startedAt: startedAt.map { Timestamp($0) }, updatedAt: Timestamp(milliseconds: heardAt),
      finishedAt: endedAt.map { Timestamp($0) }, usage: usage, costUSD: costUSD, events: events,
      errors: errors)
  }
}

extension WatchedAgent {
  /// Folds an event of the agent in.
  mutating func fold(_ event: WatchedEvent) {
    events += event.weight
    if event.isError { errors += event.weight }
    // What is asked of somebody who is not there does not bring them back.
    if event.type != Control.type || event.outcome == .applied {
      if soundedAt != nil, event.loggedAt - heardAt > Self.unsaid { soundedAt = event.loggedAt }
      heardAt = max(heardAt, event.loggedAt)
      let isBeat = event.isTrace && event.has(.heartbeat)
      if !isBeat {
        workedAt = max(workedAt, event.loggedAt)
        activity = activity ?? ActivityWindow()
        activity?.add(event.weight, at: event.at)
      }
    }
    swarmId = event.swarmId ?? swarmId
    switch event.type {
    case TraceEvent.type where event.isRun: foldRun(event)
    case TraceEvent.type where event.isModelCall && endedAt == nil:
      if let more = event.usage { usage = (usage ?? Usage()) + more }
      if let more = event.number(.costUSD) { costUSD = (costUSD ?? 0) + more }
    case ApprovalGate.type: foldGate(event)
    case Control.type where event.outcome == .applied && status.isActive && endedAt == nil:
      switch event.action {
      case .pause: status = .paused
      case .resume: status = .running
      case .terminate, nil: break
      }
    default: break
    }
  }

  /// What waits at a gate goes on, or, where its work is done, is finished or was for nothing.
  private mutating func foldGate(_ event: WatchedEvent) {
    if event.status == GateStatus.pending.rawValue {
      if status == .running, endedAt == nil { status = .waiting }
    } else if status == .waiting {
      let isApproved = event.status == GateStatus.approved.rawValue
      let goesOn = endedAt == nil && startedAt != nil
      status = goesOn ? .running : isApproved || endedAt == nil ? .finished : .error
    }
  }

  private mutating func foldRun(_ event: WatchedEvent) {
    soundedAt = nil
    isWorkflow = event.name != EventOperation.invokeAgent.rawValue
    // The end may have come before; what begins after it is done once more.
    let hasEnded =
      event.spanId != nil && endedSpan == event.spanId
      && (event.phase != .start || event.at <= endedAt ?? 0)
    switch event.phase {
    case .start:
      startedAt = event.at
      terminal = event.attribute(.terminalSession)
      sessionId = event.sessionId ?? sessionId
      task = event.attribute(.task) ?? event.attribute(.agentName) ?? task
      // Whoever promises to be heard of all the time would be lost all the time.
      heartbeat = event.number(.heartbeatMilliseconds).map { Int64(max(100, min($0, 1e12))) }
      guard !hasEnded else { return }
      endedAt = nil
      endedSpan = nil
      usage = nil
      costUSD = nil
      money = nil
      events = 1
      errors = 0
      status = .running
    case .progress:
      if !hasEnded { costUSD = event.number(.costUSD) ?? costUSD }
      guard !hasEnded, let told = event.attribute(.status).flatMap(AgentStatus.init)
      else { return }
      // A heartbeat knows nothing of gates.
      if !(status == .waiting && told == .running) { status = told }
    case .end, nil:
      endedAt = event.at
      endedSpan = event.spanId
      status = Self.status(after: event)
      if let sum = event.usage { usage = sum }
      costUSD = event.number(.costUSD) ?? costUSD
    }
  }

  /// How a run stands that ended, by what it says itself, or a stage or pipeline says of itself.
  private static func status(after event: WatchedEvent) -> AgentStatus {
    let told = event.attribute(.status) ?? ""
    if let status = AgentStatus(rawValue: told) { return status }
    switch told {
    case "approved": return .finished
    case "completed":
      return event.name == EventOperation.invokeAgent.rawValue ? .waiting : .finished
    case "cancelled": return .terminated
    case "failed": return .error
    default: return event.has(.errorType) ? .error : .finished
    }
  }
}

extension Timestamp {
  /// An instant, in milliseconds since 1970.
  init(_ milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}
