import CodingAgents
import Core
import Events
import Foundation

/// A session that is reported as an agent, and what was reported of it.
///
/// Entries become events without text. The state may be stored; a later process continues with it.
struct AdoptedSession: Codable, Sendable {
  /// A tool call that has no result yet.
  struct OpenTool: Codable, Sendable, Hashable {
    var name: String
    var subagent: String?
  }

  /// The largest number of tool calls without a result that are stored.
  private static let mostTools = 1000
  /// The largest number of entries whose repetition is recognized.
  private static let mostSeen = 200_000
  /// The largest number of unknown kinds that are counted by name.
  private static let mostKinds = 100
  /// The seconds without an entry after which a session ends whose process was never found.
  ///
  /// A tool may run longer.
  private static let silence = (usual: 600.0, inTool: 3600.0)

  /// The session; subagents belong to it.
  let key: SessionKey
  /// The swarm that the user named; nil for the name of the working folder.
  private let givenSwarm: String?
  private(set) var facts = SessionFacts()
  /// The run that is reported; nil before the first one, and after the process has ended.
  private(set) var run: AdoptedRun?
  /// The run that ended last, to which late reports of its calls belong.
  var lastRun: AdoptedRun?
  /// The run that ended last of those that were reported here.
  private var ended: AdoptedRun.EndedRun?
  /// The last status that was reported.
  private(set) var status = AgentStatus.running
  /// The cause of the wait that was reported with it; nil for none.
  private var waitingFor: WaitCause?
  /// The name that the agent's program gives to the session; nil for none.
  private var name: String?
  /// The last certainty of the process that was reported.
  private var process = ""
  /// The time of the last entry.
  private(set) var lastAt: Timestamp?
  /// The number of entries of each unknown kind.
  private(set) var unknown: [String: Int] = [:]
  /// The number of lines that could not be read.
  private(set) var unreadable = 0
  /// `true` if the session runs under `agent-run`, which reports it.
  var isReportedElsewhere = false

  /// The times at which the last run began and ended.
  private(set) var startedAt, endedAt: Timestamp?
  var calls = CallReports()
  /// The calls whose last entry follows.
  var ending: Set<String> = []
  private var tools: [String: OpenTool] = [:]
  /// The marks of the calls, tools and notes that were read.
  private(set) var seen: Set<UInt64> = []
  var usage = Usage()
  var costUSD = 0.0
  /// The number of calls without a known cost.
  var unpriced = 0
  /// `true` if the last turn has ended, and nothing followed; nil if no turn was read.
  var isIdle: Bool?
  /// The failure after which the agent did nothing more; nil if it went on.
  var lastFailure: AdoptedRun.LastFailure?
  /// The mark of a call that was copied from the session that this one was forked from.
  var copiedCall: UInt64?

  /// Creates the state of a session of which nothing was read.
  init(_ key: SessionKey, swarm: String?) {
    self.key = SessionKey(key.agent, key.id)
    givenSwarm = swarm
  }

  /// Returns `true` if the given id of a session can be the id of an agent.
  static func isPlausible(_ id: String) -> Bool {
    (1...200).contains(id.utf8.count) && Visible.line(id) == id && !id.contains(" ")
  }

  /// The id of the agent.
  var agentId: String { AdoptedRun.agentId(key) }
  /// The tools whose result is missing.
  var openTools: [String] { tools.values.map(\.name).sorted() }
  /// `true` if model calls are open, which are reported after a pause.
  var hasOpenCalls: Bool { calls.hasOpen }

  /// The record of the agent, with the given certainty of its process.
  func record(process: String?, at now: Timestamp) -> Agent {
    var agent = Agent(
      id: agentId, swarmId: swarm, sessionId: key.id, status: run == nil ? endStatus : status,
      taskSummary: task, startedAt: startedAt, updatedAt: lastAt ?? now, finishedAt: endedAt,
      usage: usage, costUSD: knownCost)
    agent.name = name
    agent.waitingFor = agent.status == .waiting ? waitingFor : nil
    agent.knownCostUSD = knownCost == nil ? costUSD : nil
    agent.labels = process.map { ["process": $0] }
    return agent
  }

  /// `true` if a process was found in this run.
  var hasHadProcess: Bool { !["", "none"].contains(process) }

  /// Returns `true` if the session, which has no process now, has ended.
  ///
  /// Not every process can be found: it may belong to a service, or to another user. Only a long
  /// silence then tells that it has ended.
  func hasEnded(at now: Timestamp) -> Bool {
    guard !hasHadProcess, calls.sums?.isStatedLast != true, let lastAt else { return true }
    return now.seconds(since: lastAt)
      > (tools.isEmpty ? Self.silence.usual : Self.silence.inTool)
  }

  /// Returns `true` if an entry of the given time does not belong to a run that has ended.
  ///
  /// A file that is read again repeats the entries of such runs, and a database may be read only
  /// after its process has ended.
  func isNewer(_ at: Timestamp) -> Bool {
    [lastAt, endedAt].allSatisfy { $0.map { at > $0 } ?? true }
  }

  private var endStatus: AgentStatus {
    [.terminated, .error].contains(status) ? status : .finished
  }

  private var task: String {
    let folder = facts.folder.map { ($0 as NSString).lastPathComponent } ?? ""
    return Visible.line(folder.isEmpty ? key.agent.title : "\(key.agent.title) in \(folder)")
  }

  private var swarm: String? {
    if let givenSwarm { return givenSwarm }
    let folder = facts.folder.map { Visible.line(($0 as NSString).lastPathComponent) }
    return folder.flatMap { $0.isEmpty || $0 == "/" ? nil : String($0.prefix(100)) }
  }

  // MARK: Entries

  /// Returns the number by which repetitions of the given thing are recognized.
  private static func mark(_ text: String) -> UInt64 {
    UInt64(AdoptedRun.digest(text), radix: 16) ?? 0
  }

  /// Returns the number by which repetitions of the given model call are recognized.
  static func mark(ofCall id: String, by agent: CodingAgent) -> UInt64 {
    mark("call \(agent.rawValue) \(id)")
  }

  /// `true` if the entry begins a run: the session does something.
  static func begins(_ content: SessionEntry.Content) -> Bool {
    switch content {
    case .prompt, .answer, .call, .result, .compaction, .failure, .retry, .turn: true
    case .facts, .total, .rewind, .output, .unknown, .unreadable: false
    }
  }

  /// Folds the given entry into the state.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - now: The time of an entry without a time.
  ///   - isReported: `false` for entries that are too old to be reported.
  ///   - isElsewhere: `true` if `agent-run` reports the entry; nil if its run decides.
  /// - Returns: The events of the entry.
  mutating func fold(
    _ entry: SessionEntry, at now: Timestamp, reporting isReported: Bool,
    elsewhere isElsewhere: Bool? = nil
  ) -> [any Event] {
    let subagent = entry.session.subagent
    if case .facts(let facts) = entry.content {
      if subagent == nil { self.facts.update(facts) }
      return []
    }
    switch entry.content {
    case .unknown(let kind):
      if unknown[kind] != nil || unknown.count < Self.mostKinds { unknown[kind, default: 0] += 1 }
      return []
    case .unreadable:
      unreadable += 1
      return []
    default: break
    }
    guard !entry.isCopy else {
      if case .call(let call) = entry.content {
        copiedCall = Self.mark(ofCall: call.id, by: key.agent)
      }
      return []
    }
    let at = min(entry.at ?? lastAt ?? now, now)
    lastAt = max(lastAt ?? at, at)
    if isReported, let isElsewhere, isElsewhere != isReportedElsewhere {
      return isElsewhere ? skip(entry.content) : late(entry, at)
    }
    let events = contents(entry.content, of: subagent, at: at)
    guard isReported else {
      // Calls that are too old must not be reported with a later entry.
      calls.skip(upTo: at)
      if case .total = entry.content { _ = calls.sums?.settle() }
      return []
    }
    return isReportedElsewhere ? [] : events + revisedEnd(after: events)
  }

  /// Skips an entry that `agent-run` reports, although it does not report the run.
  private mutating func skip(_ content: SessionEntry.Content) -> [any Event] {
    if case .call(let call) = content {
      _ = isNew(Self.mark(ofCall: call.id, by: key.agent))
      calls.sums?.lose()
    }
    return []
  }

  /// Reports an entry that is older than the run, which `agent-run` reports, with the run before.
  private mutating func late(
    _ entry: SessionEntry, _ at: Timestamp
  ) -> [any Event] {
    guard let ended else { return skip(entry.content) }
    let current = (run, lastRun, endedAt, status, usage, costUSD, unpriced)
    (run, lastRun, endedAt, status) = (nil, ended.run, ended.at, ended.status)
    (usage, costUSD, unpriced) = (ended.usage, ended.costUSD, ended.unpriced)
    var events = contents(entry.content, of: entry.session.subagent, at: at)
    events += closeCalls(of: entry.session.subagent)
    events += revisedEnd(after: events)
    (run, lastRun, endedAt, status, usage, costUSD, unpriced) = current
    return events
  }

  /// Returns the end of the last run with its new sums, if calls were reported after it.
  private mutating func revisedEnd(after events: [any Event]) -> [any Event] {
    guard run == nil, let lastRun, let endedAt, !events.isEmpty else { return [] }
    ended?.set(usage, costUSD: costUSD, unpriced: unpriced)
    let version = ":\(usage.totalTokens)"
    return [
      lastRun.end(endStatus, usage: usage, costUSD: knownCost, at: endedAt, version: version)
    ]
  }

  private mutating func contents(
    _ content: SessionEntry.Content, of subagent: String?, at: Timestamp
  ) -> [any Event] {
    if subagent == nil, Self.begins(content) { calls.sums?.resume(at: at) }
    if subagent == nil { forgetFailure(at: content) }
    if subagent == nil { followTurn(content) }
    switch content {
    case .total(let total): return stated(total, at)
    case .answer(let answer): return answered(answer, subagent, at)
    case .call(let call): return called(call, of: subagent, at: at)
    case .result(let result):
      return closeCalls(of: subagent) + ended(result, at)
    case .prompt:
      return closeCalls(of: subagent) + note(.info, "a prompt", at)
    case .compaction(let compaction):
      let size = compaction.tokens.map { " at \($0) tokens" } ?? ""
      return note(.info, "the context was compacted\(size)", at)
    case .failure(let failure):
      return closeCalls(of: subagent) + failed(failure, of: subagent, at)
    case .retry(let retry): return repeats(retry, at)
    case .turn(let turn):
      guard turn != .began else { return [] }
      let words = turn == .interrupted ? note(.info, "a person interrupted the work", at) : []
      return closeCalls(of: subagent) + words
    case .facts, .rewind, .output, .unknown, .unreadable: return []
    }
  }

  /// Returns `true` if the given thing is new.
  mutating func isNew(_ thing: String) -> Bool { isNew(Self.mark(thing)) }

  mutating func isNew(_ mark: UInt64) -> Bool {
    if seen.count >= Self.mostSeen { seen = [] }
    return seen.insert(mark).inserted
  }

  mutating func note(
    _ level: Log.Level, _ message: String, _ at: Timestamp
  ) -> [any Event] {
    guard isNew("note \(message) \(at.milliseconds)"), let run else { return [] }
    return [run.log(level, message, at: at, source: message)]
  }

  // MARK: Tools

  private mutating func answered(
    _ answer: SessionAnswer, _ subagent: String?, _ at: Timestamp
  ) -> [any Event] {
    var events = answer.failure.map { cut(answer, $0, of: subagent, at) } ?? []
    if answer.stopReason != nil || answer.failure != nil { ending = [answer.id] }
    for call in answer.toolCalls where !call.id.isEmpty && isNew("tool \(call.id)") {
      if tools.count >= Self.mostTools { tools = [:] }
      tools[call.id] = OpenTool(name: call.name, subagent: subagent)
      guard let run else { continue }
      events.append(run.event(run.tool(call.id, call.name, of: subagent), .start, at: at))
    }
    return events
  }

  private mutating func ended(_ result: SessionResult, _ at: Timestamp) -> [any Event] {
    guard let tool = tools.removeValue(forKey: result.call) else { return [] }
    guard let run else { return [] }
    let span = run.tool(result.call, tool.name, of: tool.subagent)
    return [
      run.event(span, .end, result.isError ? [.errorType: .string("_OTHER")] : [:], at: at)
    ]
  }

  // MARK: Runs

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - at: The time of its first entry.
  ///   - heartbeat: The interval between heartbeats, in seconds; nil if none will follow.
  ///   - process: The certainty of the process.
  /// - Returns: The events of the start.
  mutating func begin(at: Timestamp, heartbeat: Double?, process: String) -> [any Event] {
    let run = AdoptedRun(session: key, swarmId: swarm, startedAt: at)
    (self.run, self.process) = (run, process)
    (startedAt, endedAt) = (at, nil)
    (usage, costUSD, unpriced, status, waitingFor) = (Usage(), 0, 0, .running, nil)
    lastFailure = nil
    calls.sums?.resume(at: at)
    return startAgain(heartbeat: heartbeat, process: process) + openSideCalls()
  }

  /// Returns the event of the start of the run; the log skips it if it has it.
  func startAgain(heartbeat: Double?, process: String) -> [any Event] {
    guard let run, !isReportedElsewhere else { return [] }
    return [run.start(task: task, heartbeat: heartbeat, process: process)]
  }

  /// Reports the given status, with the cause of a wait, the name and the certainty of the process,
  /// unless all were reported already.
  mutating func set(
    _ status: AgentStatus, for cause: WaitCause? = nil, named name: String? = nil,
    isHeartbeat: Bool, at now: Timestamp, process: String
  ) -> [any Event] {
    let name = name ?? self.name
    let isChange = (status, cause) != (self.status, waitingFor)
    let isSame = !isChange && (name, process) == (self.name, self.process)
    guard let run, isHeartbeat || !isSame else { return [] }
    (self.status, waitingFor, self.name, self.process) = (status, cause, name, process)
    return isReportedElsewhere
      ? []
      : [
        run.stands(
          status, for: cause, named: name, isChange: isChange,
          heartbeat: isHeartbeat ? AdoptedRun.heartbeat : nil, at: now, process: process)
      ]
  }

  /// Ends the run, because the session is reported elsewhere, with the calls that are open.
  mutating func handOver(at now: Timestamp) -> [any Event] {
    calls.skip(upTo: now)
    let events = end(.finished, at: now)
    isReportedElsewhere = true
    return events
  }

  /// Ends the run, because the process has ended; the outcome is `error` after a failure.
  mutating func end(_ status: AgentStatus, at now: Timestamp) -> [any Event] {
    guard let run else { return [] }
    let calls = closed { _ in true } + settleSideCalls()
    let tools = self.tools.sorted { $0.key < $1.key }.map { id, tool in
      run.event(
        run.tool(id, tool.name, of: tool.subagent), .end, [.errorType: .string("unfinished")],
        at: now)
    }
    let failure = status == .finished ? lastFailure : nil
    let status = failure == nil ? status : .error
    let end = run.end(status, failure, usage: usage, costUSD: knownCost, at: now)
    (self.run, lastRun, self.status, self.tools, endedAt) = (nil, run, status, [:], now)
    guard !isReportedElsewhere else { return [] }
    ended = AdoptedRun.EndedRun(
      run: run, at: now, status: status, usage: usage, costUSD: costUSD, unpriced: unpriced)
    return calls + tools + [end]
  }
}

extension Sequence<AdoptedSession> {
  /// The sessions, sorted by their last activity, the latest first.
  var latestFirst: [AdoptedSession] {
    sorted { ($0.lastAt?.milliseconds ?? 0, $0.key.id) > ($1.lastAt?.milliseconds ?? 0, $1.key.id) }
  }
}
