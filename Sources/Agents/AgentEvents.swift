import Core
import Events
import Processes
import Synchronization

/// A recorder of one agent's activity in the event log.
///
/// It may be used on any thread.
final class AgentEvents: Sendable {
  private let agent: AgentIdentity
  private let lines: Mutex<OutputLines>
  private let queue: EventQueue
  private let sink: any EventSink
  private let gates: GateOpener?
  private let reported: ReportedRun?

  /// Creates the recorder.
  ///
  /// - Parameters:
  ///   - agent: The agent whose activity is recorded.
  ///   - contexts: The context sizes that the configuration sets, by model.
  ///   - environment: The environment of the command.
  ///   - sink: The destination of the events.
  ///   - gates: The opener of the gates that the command requests; nil if the receiver of the
  ///     events opens them.
  ///   - reported: The record of the sessions; nil if no events are stored.
  init(
    _ agent: AgentIdentity, contexts: [String: Int], environment: [String: String],
    to sink: any EventSink, gates: GateOpener?, reported: ReportedRun?
  ) {
    self.agent = agent
    self.sink = sink
    (self.gates, self.reported) = (gates, reported)
    lines = Mutex(OutputLines(agent, contexts: contexts, environment: environment))
    queue = EventQueue(sink) { count, since, isFull in
      let reason =
        isFull
        ? "too many events are waiting for the hub"
        : "they were printed faster than they could be stored"
      return agent.loss(of: count, since: since, reason)
    }
  }

  /// Records the start of the run and the interval between its heartbeats.
  func began(heartbeat seconds: Double) {
    var attributes: EventAttributes = [
      .heartbeatMilliseconds: .int(Int(seconds * 1000)),
      .task: .string(Secrets.shown(agent.task)),
    ]
    attributes[.terminalSession] = agent.terminal.map(JSONValue.string)
    queue.add([agent.run.event(.start, attributes, at: .now)])
  }

  /// Records the given status of the run.
  ///
  /// The record is a heartbeat, or reports that the status has changed. `end` is the time until
  /// which a waiting agent waits; nil if that is unknown.
  func stands(_ status: AgentStatus, isHeartbeat: Bool, until end: Timestamp? = nil) {
    var attributes: EventAttributes = [.status: .string(status.rawValue)]
    attributes[.waitingUntil] = end.map { .string($0.iso8601) }
    if isHeartbeat { attributes[.heartbeat] = .bool(true) }
    queue.add([agent.run.event(.progress, attributes, at: .now)])
  }

  /// Records the given output of the command.
  func printed(_ piece: OutputRelay.Piece, _ stream: OutputLines.Stream) {
    let now = Timestamp.now
    switch piece {
    case .lines(let lines):
      let (events, sessions) = self.lines.withLock { reader in
        (lines.flatMap { reader.events(of: $0, from: stream, at: now) }, reader.report.sessions)
      }
      reported?.add(sessions)
      queue.add(
        events.map { event in (event as? ApprovalGate).flatMap { gates?.open($0) } ?? event })
      // A full queue is first written out. The command does not wait for that.
      if queue.isFull { queue.flush(within: 10) }
    case .lost(let count): queue.countDropped(count, at: now)
    }
  }

  /// Records the given event from another source.
  func add(_ event: any Event) { queue.add([event]) }

  /// The facts about the run that the output has reported so far.
  var report: RunReport { lines.withLock { $0.report } }

  /// Records that a usage limit ended the command, which will run again at the given time.
  func limited(until reset: Timestamp) {
    let words = "a usage limit ended the command, which runs again at \(reset.iso8601)"
    queue.add([agent.log(.warn, words, at: .now)])
  }

  /// Records that the command runs again.
  func restarted() {
    let now = Timestamp.now
    queue.add(lines.withLock { $0.restart(at: now) })
    queue.add([agent.log(.info, "the command runs again", at: now)])
    stands(.running, isHeartbeat: false)
  }

  /// Records that the run ended with the given status.
  ///
  /// `failure` is the reason if the run failed for another reason than the command's own ending.
  func ended(_ ending: ProcessEnding, _ status: AgentStatus, _ failure: Failure? = nil) {
    let now = Timestamp.now
    let (rest, usage, lastWords, cause) = lines.withLock { lines in
      let rest = lines.end(at: now)
      return (rest, lines.usage, lines.lastWords, lines.cause)
    }
    var attributes = usage
    attributes[.status] = .string(status.rawValue)
    var words: String
    switch ending {
    case .status(let code):
      attributes[.exitCode] = .int(Int(code))
      if status == .error { attributes[.errorType] = .string("exit_\(code)") }
      words = "the command ended with status \(code)"
    case .signal(let number):
      let name = SignalName.of(number)
      attributes[.exitSignal] = .string(name)
      if status == .error { attributes[.errorType] = .string(name) }
      words = "the command was killed by \(name)"
    }
    if let failure {
      words = failure.explanation
      attributes[.errorType] = .string(failure.code.rawValue)
      attributes[.errorKind] = failure.kind.map { .string($0.rawValue) }
    }
    queue.add(rest)
    switch status {
    case .error:
      let said = failure?.code == .toolFailed ? nil : lastWords
      queue.add([death(said.map { "\(words): \($0)" } ?? words, of: cause, at: now)])
    case .terminated: queue.add([agent.log(.warn, words, at: now)])
    default: break
    }
    queue.add([agent.run.event(.end, attributes, at: now)])
  }

  /// Returns the log record that reports that the run failed.
  private func death(_ words: String, of cause: String? = nil, at now: Timestamp) -> Log {
    var log = agent.log(.error, words, at: now)
    log.srcId = AgentEnd.sourceId(ofRun: agent.sessionId)
    log.body.cause = cause
    return log
  }

  /// Records that the command could not be run because of the given failure.
  func failed(_ failure: Failure, status: Int32) {
    let now = Timestamp.now
    let attributes: EventAttributes = [
      .status: .string(AgentStatus.error.rawValue), .exitCode: .int(Int(status)),
      .errorType: .string(failure.code.rawValue),
    ]
    queue.add([
      death(failure.explanation, at: now), agent.run.event(.end, attributes, at: now),
    ])
  }

  /// Writes the queued events, within two seconds.
  func write() { queue.flush(within: 2) }

  /// Writes the queued events and waits until other processes can read them.
  func flush() {
    if queue.flush(within: 2) { sink.settle(within: 2) }
  }

  /// Writes the queued events and closes the log.
  func close() {
    reported?.end()
    queue.end(within: 10)
    sink.end(within: 10)
  }
}
