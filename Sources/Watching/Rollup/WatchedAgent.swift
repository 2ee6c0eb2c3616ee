import Core
import Events

/// The state of an agent.
///
/// The run of a swarm is also an agent.
struct WatchedAgent: WatchedDocument {
  static let kind = "agent"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedAgent>> { \.agents }

  var id: String
  var swarmId: String?
  /// The name of the agent's session; nil if it has none, and in data of an earlier version.
  var name: String?
  var sessionId: String?
  /// The machine of the agent's last event; nil for the log's own machine.
  var host: String?
  /// The status that the agent last reported.
  var status: AgentStatus = .running
  var task: String?
  /// The tmux session in which the agent was started.
  var terminal: String?
  /// The interval between the agent's heartbeats, in milliseconds; nil if the agent announced none.
  var heartbeat: Int64?
  var startedAt: Int64?
  var endedAt: Int64?
  /// The time until which the agent waits for a usage limit; nil if it does not.
  var waitingUntil: Int64?
  /// The cause of the wait that the agent last reported; nil for none, and in data of an earlier
  /// version.
  var toldCause: WaitCause?
  /// The agent's gates that wait for a decision; nil for none, and in data of an earlier version.
  var openGates: Set<String>?
  /// The time of the agent's newest gate; nil for none, and in data of an earlier version.
  var gatedAt: Int64?
  /// The ID of the span of the agent's run that ended last.
  var endedSpan: String?
  /// The time of the agent's last event.
  ///
  /// `workedAt` is the time of its last event that was not a heartbeat.
  var heardAt: Int64
  var workedAt: Int64
  var usage: Usage?
  var costUSD: Double?
  /// The known part of the cost that telemetry reported, if a part is unknown.
  var knownCostUSD: Double?
  /// The certainty of the agent's process, for a session that another program runs.
  var process: String?
  /// The part of ``usage`` and ``costUSD`` that telemetry reported, and no transcript.
  var observed: WatchedSpending.Part?
  /// The cost of the agent's calls; nil before the first call, and in data of an earlier version.
  var money: RunMoney?
  var events = 0
  var errors = 0
  /// The agent's recent activity; nil in data of an earlier version.
  var activity: ActivityWindow?
  /// `true` if the agent's last run event belongs to the run of a workflow; nil in data of an
  /// earlier version.
  var isWorkflow: Bool? = false
  /// The time of the agent's first event after a long silence.
  ///
  /// It is nil if the agent reports the status of its run, and in data of an earlier version.
  var soundedAt: Int64?

  var parent: String? { swarmId }
  var updatedAt: Int64 { heardAt }
  /// The time until which the agent belongs to the current state: it may be active, waiting or
  /// lost.
  var liveUntil: Int64? {
    guard status.isActive else { return nil }
    let isUnsaid =
      endedAt == nil && heartbeat == nil && startedAt == nil && openGates == nil
    return isUnsaid ? heardAt + Self.unsaid : .max
  }

  init(id: String, heardAt: Int64) {
    self.id = id
    self.heardAt = heardAt
    workedAt = heardAt
    soundedAt = heardAt
  }

  /// `true` if this is the run of a swarm.
  ///
  /// An agent may have the same ID as its swarm.
  var isRun: Bool { id == swarmId && isWorkflow ?? true }

  /// The expected interval between the agent's events, in milliseconds.
  var interval: Int64 { heartbeat ?? Self.usualHeartbeat }

  private static let usualHeartbeat: Int64 = 15_000
  /// The maximum silence of an active agent that never reported a start, in milliseconds.
  private static let unsaid: Int64 = 300_000

  /// The maximum silence of this agent, if it never reported a start, in milliseconds.
  ///
  /// It is at most the time that the agent's events cover. A single event therefore makes no agent
  /// active.
  private var unsaidSilence: Int64 {
    guard status == .running, let soundedAt else { return Self.unsaid }
    return min(Self.unsaid, heardAt - soundedAt)
  }

  /// Returns the status of the agent at `now`.
  ///
  /// An agent that has missed two heartbeats is lost.
  func status(at now: Int64) -> AgentStatus {
    guard status.isActive, endedAt == nil else { return status }
    guard heartbeat != nil else {
      // Nothing may be heard of an agent before its gate is decided.
      let isUnsaid = startedAt == nil && openGates == nil
      return isUnsaid && now - heardAt > unsaidSilence ? .finished : status
    }
    return now - heardAt > 2 * interval ? .lost : status
  }

  /// The cause for which the agent waits, if it waits.
  private var waitCause: WaitCause? {
    openGates != nil ? .permission : waitingUntil != nil ? .limit : toldCause
  }

  /// Returns the number of heartbeat intervals since the agent's last event that was not a
  /// heartbeat.
  func idleBeats(at now: Int64) -> Double {
    guard status == .running, heartbeat != nil, endedAt == nil else { return 0 }
    return Double(now - workedAt) / Double(interval)
  }

  /// Returns the agent's state at `now` as a record.
  func record(at now: Int64) -> Agent {
    var agent = Agent(
      id: id, swarmId: swarmId, sessionId: sessionId, status: status(at: now), taskSummary: task,
      startedAt: startedAt.map { Timestamp($0) }, updatedAt: Timestamp(milliseconds: heardAt),
      finishedAt: endedAt.map { Timestamp($0) }, waitingUntil: waitingUntil.map { Timestamp($0) },
      usage: usage, costUSD: money?.isOpen == true ? nil : costUSD.map(RunMoney.rounded),
      events: events, errors: errors)
    (agent.name, agent.host) = (name, host)
    agent.waitingFor = agent.status == .waiting ? waitCause : nil
    let known = agent.costUSD == nil ? costUSD ?? knownCostUSD : nil
    agent.knownCostUSD = known.map(RunMoney.rounded)
    agent.labels = process.map { [Self.processLabel: $0] }
    return agent
  }
}

extension WatchedAgent {
  /// Replaces the part of the usage that telemetry reported; nil if a transcript now reports it.
  mutating func observe(_ total: WatchedSpending.Part?) {
    let own = (usage ?? Usage()).without(observed?.usage ?? Usage())
    let ownCost = max(0, (costUSD ?? 0) - (observed?.knownCost ?? 0))
    if let total {
      usage = own + total.usage
      costUSD = total.knownCost.map { $0 + ownCost }
      knownCostUSD = total.costUSD + ownCost > 0 ? total.costUSD + ownCost : nil
    } else {
      usage = own
      (costUSD, knownCostUSD) = (ownCost > 0 ? ownCost : nil, nil)
    }
    observed = total
  }

  /// Folds the given event of the agent into the state.
  mutating func fold(_ event: WatchedEvent) {
    events += event.weight
    if event.isError { errors += event.weight }
    // A control that is sent to an agent does not show that the agent is alive.
    if event.type != Control.type || event.outcome == .applied {
      if soundedAt != nil, event.loggedAt - heardAt > Self.unsaid { soundedAt = event.loggedAt }
      heardAt = max(heardAt, event.loggedAt)
      if event.type != Control.type { host = event.host }
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
    case TraceEvent.type
    where event.isModelCall && endedAt == nil && event.usageSource == .transcript:
      if let more = event.usage { usage = (usage ?? Usage()) + more }
      if let more = event.number(.costUSD) { costUSD = (costUSD ?? 0) + more }
    case ApprovalGate.type: foldGate(event)
    case Control.type where event.outcome == .applied && status.isActive && endedAt == nil:
      switch event.action {
      case .pause: status = .paused
      case .resume: status = waitCause == nil ? .running : .waiting
      case .terminate, nil: break
      }
    default: break
    }
  }

  /// Folds the state of a gate into the agent's state.
  ///
  /// After the decision on its last gate, a waiting agent continues. If its work is done, it has
  /// finished or failed.
  private mutating func foldGate(_ event: WatchedEvent) {
    if let id = event.gateId { note(gate: id, event.status) }
    if event.status == GateStatus.pending.rawValue {
      gatedAt = max(gatedAt ?? 0, event.at)
      // After the decision on its gate, an agent that never reported a start counts as finished.
      if endedAt == nil, status == .running || startedAt == nil { status = .waiting }
    } else if status == .waiting, openGates == nil, toldCause != .prompt {
      let isApproved = event.status == GateStatus.approved.rawValue
      let goesOn = endedAt == nil && startedAt != nil
      status = goesOn ? .running : isApproved || endedAt == nil ? .finished : .error
    }
  }

  private mutating func note(gate id: String, _ status: String) {
    var open = openGates ?? []
    if status != GateStatus.pending.rawValue {
      open.remove(id)
    } else if open.count < Self.mostGates {
      open.insert(id)
    }
    openGates = open.isEmpty ? nil : open
  }

  /// The maximum number of entries in ``openGates``.
  private static let mostGates = 100
  /// The label of events that has the certainty of the process.
  private static let processLabel = "process"
  private static let certainties: Set = ["certain", "shared", "guess", "none"]

  private mutating func foldRun(_ event: WatchedEvent) {
    soundedAt = nil
    name = event.attribute(.sessionName) ?? name
    // Labels of users are not labels of agents.
    if let word = event.labels?.string(Self.processLabel), Self.certainties.contains(word) {
      process = word
    }
    let isObserved = event.labels?.contains(Self.processLabel) ?? false
    isWorkflow = event.name != EventOperation.invokeAgent.rawValue
    // The end may arrive before the start. A start that happened after the end is a new run.
    let hasEnded =
      event.spanId != nil && endedSpan == event.spanId
      && (event.phase != .start || event.at <= endedAt ?? 0)
    switch event.phase {
    case .start:
      // A start that the log no longer had may be reported again during the run.
      let isRepeated = endedAt == nil && startedAt == event.at
      // A hook may open a gate before the run is reported. Gates of an earlier run are over.
      let isGated = openGates != nil && (startedAt == nil || gatedAt ?? 0 >= event.at)
      startedAt = event.at
      terminal = event.attribute(.terminalSession)
      sessionId = event.sessionId ?? sessionId
      task = event.attribute(.task) ?? event.attribute(.agentName) ?? task
      heartbeat = Self.heartbeat(in: event)
      guard !hasEnded, !isRepeated else { return }
      (endedAt, endedSpan, usage) = (nil, nil, nil)
      (costUSD, knownCostUSD) = (nil, nil)
      observed = nil
      money = nil
      events = 1
      errors = 0
      (waitingUntil, toldCause) = (nil, nil)
      if !isGated { openGates = nil }
      status = isGated ? .waiting : .running
    case .progress:
      if !hasEnded { heartbeat = Self.heartbeat(in: event) ?? heartbeat }
      if !hasEnded { costUSD = event.number(.costUSD) ?? costUSD }
      guard !hasEnded, let told = event.attribute(.status).flatMap(AgentStatus.init)
      else { return }
      // A run is not aware of gates. A registry is, which tells when its agent goes on.
      let isAware = isObserved && !event.has(.heartbeat)
      let isAtGate =
        openGates != nil || status == .waiting && waitingUntil == nil && !isAware
      status = isAtGate && told == .running ? .waiting : told
      toldCause =
        told == .waiting ? event.attribute(.waitingFor).flatMap(WaitCause.init) : nil
      waitingUntil =
        told == .waiting
        ? event.attribute(.waitingUntil).flatMap(Timestamp.init(iso8601:))?.milliseconds : nil
    case .end, nil:
      endedAt = event.at
      endedSpan = event.spanId
      status = Self.status(after: event)
      // A stage that has ended waits for an approval.
      (waitingUntil, toldCause) = (nil, .permission)
      if let sum = event.usage { usage = sum }
      costUSD = event.number(.costUSD) ?? costUSD
    }
  }

  /// Returns the interval between heartbeats that the given event announces.
  private static func heartbeat(in event: WatchedEvent) -> Int64? {
    // A shorter interval would make the agent appear lost all the time.
    event.number(.heartbeatMilliseconds).map { Int64(max(100, min($0, 1e12))) }
  }

  /// Returns the status that follows from the given end of a run, stage or pipeline.
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
  /// Creates the time that is the given number of milliseconds after the start of 1970.
  init(_ milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}
