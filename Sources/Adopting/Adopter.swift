public import CodingAgents
public import Core
import Events
import Foundation
public import HubClient
public import Processes
import Requests

/// A reader of other programs' sessions, which reports each as an agent.
///
/// It changes no file of these programs. It sends signals only to processes that it has identified
/// for certain.
public final class Adopter {
  /// The settings.
  public struct Options: Sendable {
    /// The programs.
    public var agents: [CodingAgent]
    /// The swarm of all agents; nil for the names of their working folders.
    public var swarm: String?
    /// The time, in seconds before now, since which entries are reported.
    public var since: Double
    /// The hub that receives the events; nil to use the log and the store of this machine.
    public var hub: HubGroup?
    /// The largest number of bytes of events that are stored while the hub is unreachable.
    public var spoolBytes = HubOutbox.usualLimit

    /// Creates the settings.
    public init(agents: [CodingAgent], swarm: String?, since: Double, hub: HubGroup?) {
      (self.agents, self.swarm, self.since, self.hub) = (agents, swarm, since, hub)
    }
  }

  /// A closure that stores the text of the given sources.
  public typealias Keep = ([SessionSource]) throws(Failure) -> Void

  /// The interval between heartbeats, in seconds.
  static let heartbeat = AdoptedRun.heartbeat
  /// The interval between looks at the processes while sessions are open.
  static let tick = Duration.milliseconds(1000)
  /// The interval between looks at the sessions that have no process and are quiet.
  private static let longTick = Duration.seconds(5)
  /// The interval if no session is open.
  static let rest = Duration.seconds(30)
  /// The time after which an open call is reported, and a session without a process ends.
  static let quiet = Duration.seconds(2)

  /// The largest number of model calls whose session is remembered.
  static let mostOwners = 500_000
  /// The age in seconds below which an entry shows that its session is active.
  private static let recent = 10.0
  /// The number of bytes of a file that are read before other work is done.
  private static let round = 8 << 20

  let options: Options
  let directories: Directories
  let interruption: Interruption
  let report: NoticeHandler
  let files: AdoptedFiles
  let cutoff: Timestamp
  var sources: AdoptedSources
  var finder: ProcessFinder
  let queue: EventQueue
  let sink: any EventSink
  var controls: (any AdoptedControls)?
  let inbox: ControlInbox
  var sessions: [SessionKey: AdoptedSession] = [:]
  /// The session in which a model call was first seen.
  var owners: [UInt64: SessionKey] = [:]
  var processes: [SessionKey: SessionProcess] = [:]
  var runners: [SessionKey: Runner] = [:]
  let reported: ReportedSessions
  var reporters: [SessionKey: Reporters] = [:]
  var terminations: [Termination] = []
  var pauses: [Pause] = []
  /// The times of the last entries, by the clock of this process.
  var heardAt: [SessionKey: ContinuousClock.Instant] = [:]
  var unsaved: Set<SessionKey> = []
  /// The value of the sink's ``EventSink/lostCount`` of which nothing remains to be done.
  var lostCount = 0
  /// The time at which files are read again because events were lost; nil if none were.
  var retryAt: ContinuousClock.Instant?
  /// The pause before that; it grows until events are stored again.
  var retryPause = tick
  /// The stored states of sessions before calls were closed whose events are not stored yet.
  var beforeClose: [SessionKey: AdoptedSession] = [:]
  /// `true` if these states are in the files again.
  var isReopened = false
  /// `true` if events could not be stored since the last look at the processes began.
  var isBlocked = false
  /// The time for which the last storing wrote files.
  var writing = Duration.zero
  private(set) var isFollowing = false
  /// `true` after the files were read that were there at the beginning.
  private var hasBegun = false
  private var nextHeartbeat = ContinuousClock.now
  /// The next time at which all open sessions are looked at.
  var nextWholeLook = ContinuousClock.now

  /// Prepares the reader.
  ///
  /// - Parameters:
  ///   - options: The settings.
  ///   - environment: The environment, whose variables may move the sessions.
  ///   - directories: The directories of the log, the store and the positions.
  ///   - table: The processes of the system.
  ///   - interruption: Ends the work.
  ///   - report: Receives a sentence about each problem.
  /// - Throws: `StorageFailed` if no pipe can be opened.
  public init(
    _ options: Options, environment: [String: String], directories: Directories,
    table: any ProcessTable = SystemProcesses(), interruption: Interruption,
    report: @escaping NoticeHandler
  ) throws(Failure) {
    (self.options, self.directories) = (options, directories)
    (self.interruption, self.report) = (interruption, report)
    (files, reported) = (AdoptedFiles(directories), ReportedSessions(directories))
    cutoff = Timestamp.now.adding(seconds: -options.since)
    sources = AdoptedSources(
      options.agents, environment: environment, files: files, cutoff: cutoff, interruption)
    finder = ProcessFinder(table, environment: environment)
    inbox = try ControlInbox()
    let sink: any EventSink =
      if let hub = options.hub {
        HubOutbox(hub, directories, limit: options.spoolBytes, report: report)
      } else {
        EventJournal(directories, report: report)
      }
    self.sink = sink
    queue = EventQueue(sink) { count, since, _ in
      Log(
        ts: since.milliseconds, agentId: "agent-adopt", level: .warn,
        message: "dropped \(count) events: too many events are waiting for the hub")
    }
  }

  // MARK: Work

  /// Reads what is new, and follows the sessions if that is wanted.
  ///
  /// - Parameters:
  ///   - isFollowing: `true` to continue until the process is interrupted.
  ///   - keep: Stores the text of sessions that changed; nil to store none. If the sessions are
  ///     followed, it must not wait.
  /// - Returns: The agents that are active or have changed, the latest first.
  /// - Throws: `Busy` if another process does the same; `StorageFailed` if positions cannot be
  ///   stored; `Interrupted`; and what `keep` throws.
  public func run(following isFollowing: Bool, keep: Keep?) throws(Failure) -> [Agent] {
    try Directories.make(directories.state)
    guard let lock = try FileLock.ifFree("\(directories.state)/\(Self.lock)") else {
      throw Failure(.busy, "another agent-adopt is running", nextStep: "use its results, or end it")
    }
    defer { withExtendedLifetime(lock) {} }
    self.isFollowing = isFollowing
    defer {
      controls?.close()
      queue.end(within: 10)
      sink.end(within: 10)
    }
    if isFollowing { controls = try openControls() }
    try begin()
    try work(keep)
    return records
  }

  /// The name of the lock that a process holds while it adopts sessions.
  static let lock = "adopted.lock"

  private func begin() throws(Failure) {
    files.removeOld(["files", "sessions"], at: .now)
    loadOpenSessions()
    finder.refresh(Set(options.agents), guessing: true)
    // The log may be that of another hub than before.
    for session in openSessions {
      let process = process(of: session)
      let beats = isFollowing && process.statesStatus
      processes[session.key] = process
      queue.add(
        session.startAgain(
          heartbeat: beats ? Self.heartbeat : nil, process: process.certainty.rawValue))
    }
    try take(sources.search(all: true))
    try readDatabases(all: true)
    hasBegun = true
    lookAtProcesses()
    try save()
  }

  private func work(_ keep: Keep?) throws(Failure) {
    do throws(Failure) {
      guard isFollowing else {
        try keep?(sources.takeChanged())
        return
      }
      var nextLook = ContinuousClock.now + Self.tick
      var nextSearch = ContinuousClock.now + Self.tick
      var (nextKeep, nextSave) = (ContinuousClock.now, ContinuousClock.now)
      while true {
        try wait(until: min(nextLook, nextSearch))
        try take(sources.changes())
        try readDatabases(all: false)
        try carryOutControls()
        let now = ContinuousClock.now
        if nextSearch <= now {
          try take(sources.search(all: !sources.isWhole))
          nextSearch = now + Self.tick
        }
        // A session may have begun after a look at none.
        if !sessions.isEmpty { nextLook = min(nextLook, now + Self.tick) }
        if isSettling { nextLook = min(nextLook, now + Self.tick / 10) }
        guard nextLook <= .now else { continue }
        lookAtProcesses()
        if nextSave <= now {
          try save()
          // The states of long sessions are large.
          nextSave = .now + min(writing * 20, .seconds(10))
        }
        if let keep, sources.hasChanged, nextKeep <= now {
          try keep(sources.takeChanged())
          nextKeep = now + Self.quiet
        }
        // Without `keep`, nobody takes the sources that changed.
        let isWaited = keep != nil && sources.hasChanged
        let isIdle =
          !sessions.values.contains { $0.run != nil } && !isSettling && !isWaited
        nextLook = .now + (isIdle ? Self.rest : isSettling ? Self.tick / 10 : Self.tick)
      }
    } catch {
      try? save()
      if let keep, error.code == .interrupted { try? keep(sources.takeChanged()) }
      throw error
    }
  }

  private func wait(until end: ContinuousClock.Instant) throws(Failure) {
    let end = min(end, sources.nextRead ?? end)
    let left = max(0, (end - .now) / .milliseconds(1))
    var descriptors = [sources.descriptor, inbox.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    try interruption.wait(for: &descriptors, within: Int32(min(left.rounded(.up), 60_000)))
  }

  /// The sessions whose process has not ended, the latest first.
  var openSessions: [AdoptedSession] {
    sessions.values.filter { $0.run != nil }.latestFirst
  }

  /// The open sessions that have a process or subagents, or of which something was read lately.
  private var activeSessions: [AdoptedSession] {
    // After a session is quiet, it is looked at once more.
    let end = ContinuousClock.now - Self.quiet - Self.tick * 2
    let parents = Set(
      sessions.values.lazy.compactMap { $0.run == nil ? nil : $0.facts.parent })
    return sessions.values.filter { session in
      let key = session.key
      let isHeard = heardAt[key].map { $0 >= end } ?? false
      return session.run != nil
        && (isHeard || parents.contains(key.id) || processes[key]?.identity != nil
          || terminations.contains { $0.key == key })
    }.latestFirst
  }

  /// The agents of the sessions that were read, the latest first.
  private var records: [Agent] {
    let now = Timestamp.now
    let reported = sessions.values.filter { !$0.isReportedElsewhere }
    return reported.filter { $0.lastAt.map { $0 >= cutoff } ?? false }
      .latestFirst.map { $0.record(process: processes[$0.key]?.certainty.rawValue, at: now) }
  }

  // MARK: Entries

  func take(_ paths: Set<String>) throws(Failure) {
    guard !paths.isEmpty else { return }
    let most = hasBegun ? Self.round : .max
    try sources.read(paths, atMost: most, to: { fold($0) }, onFailure: { fail($0) })
  }

  private func readDatabases(all isAll: Bool) throws(Failure) {
    guard isAll || sources.nextRead.map({ $0 <= .now }) ?? false else { return }
    if isAll, let due = sources.nextRead {
      // The first read is due shortly after the search.
      _ = try interruption.isReadable(
        -1, within: Int32(max(0, (due - .now) / .milliseconds(1))) + 1)
    }
    let active = openSessions.filter { $0.key.agent == .opencode }.map(\.key.id)
    try sources.readDue(and: Set(active), to: { fold($0) }, onFailure: { fail($0) })
  }

  private func fail(_ failure: Failure) { report(.sentence(failure.explanation)) }

  func fold(_ entries: [SessionEntry]) {
    let now = Timestamp.now
    var events: [any Event] = []
    for entry in entries {
      let key = SessionKey(entry.session.agent, entry.session.id)
      guard AdoptedSession.isPlausible(key.id) else { continue }
      guard claim(entry, for: key) else { continue }
      // A second reference to the session would copy its sets at each change.
      var session = sessions.removeValue(forKey: key) ?? stored(key)
      let isReported = entry.at.map { $0 >= cutoff } ?? true
      if isReported { events += begin(&session, entry, now) }
      let isElsewhere = isReported && isReportedElsewhere(session, entry, now)
      events += session.fold(entry, at: now, reporting: isReported, elsewhere: isElsewhere)
      sessions[key] = session
      if session.run != nil, processes[key]?.identity != nil { addRunner(session) }
      // Old entries are no sign of activity.
      if let at = entry.at, now.seconds(since: at) < Self.recent { heardAt[key] = .now }
      unsaved.insert(key)
    }
    queue.add(events)
    if queue.isFull { queue.flush(within: 10) }
  }

  func stored(_ key: SessionKey) -> AdoptedSession {
    files.load(AdoptedSession.self, "sessions", AdoptedRun.agentId(key))
      ?? AdoptedSession(key, swarm: options.swarm)
  }

  /// Returns the process of a session that begins.
  func process(of session: AdoptedSession) -> SessionProcess {
    let keys = [ProcessFinder.Sought(session)]
    // At the beginning, one look is enough for all sessions.
    if hasBegun { finder.refresh([session.key.agent], guessing: false) }
    let stated = finder.processes(of: keys)[session.key] ?? .none
    guard hasBegun, stated.identity == nil else { return stated }
    finder.guessAgain()
    finder.refresh(Set(options.agents), guessing: true)
    return finder.processes(of: keys)[session.key] ?? .none
  }

  // MARK: Processes

  /// Reports the states of the processes of open sessions.
  func lookAtProcesses() {
    let isWhole = nextWholeLook <= .now
    if isWhole { nextWholeLook = .now + Self.longTick }
    let open = isWhole ? openSessions : activeSessions
    guard !open.isEmpty else { return }
    let keys = open.map(ProcessFinder.Sought.init)
    finder.refresh(Set(open.map(\.key.agent)), guessing: false)
    var found = finder.processes(of: keys)
    if finder.misses(keys, in: found) { finder.guessAgain() }
    if found.values.contains(where: { $0.identity == nil || $0.certainty == .guess }) {
      // Guesses replace those for all agents.
      finder.refresh(Set(options.agents), guessing: true)
      found = finder.processes(of: keys)
    }
    if isWhole { processes = found } else { processes.merge(found) { $1 } }
    isBlocked = false
    let isBeat = nextHeartbeat <= .now
    if isBeat { nextHeartbeat = .now + .seconds(Self.heartbeat) }
    for session in open { look(at: session, isBeat: isBeat && isFollowing) }
    settleTerminations()
  }

  private func look(at session: AdoptedSession, isBeat: Bool) {
    var session = session
    let process = processes[session.key] ?? .none
    if !session.isReportedElsewhere, isReportedElsewhere(session, at: session.lastAt ?? .now) {
      let events = leave(&session, at: session.lastAt ?? .now)
      return commit(session, events)
    }
    let isQuiet = heardAt[session.key].map { $0 + Self.quiet <= .now } ?? true
    var events = isQuiet ? closeCalls(of: &session) : []
    inheritTotal(&session)
    // The outcome of a termination is reported before its session ends.
    if terminations.contains(where: { $0.key == session.key }) { return commit(session, events) }
    if process.certainty == .none {
      guard isQuiet, process.hasEnded || session.hasEnded(at: .now) else {
        return commit(session, events)
      }
      events += session.end(.finished, at: endTime(of: session))
      removeRunner(session.key)
    } else {
      let status = process.isStopped ? .paused : process.status ?? .running
      events += session.set(
        status, for: status == .waiting ? process.waitingFor : nil, named: process.name,
        isHeartbeat: isBeat && process.statesStatus, at: .now,
        process: process.certainty.rawValue)
      addRunner(session)
    }
    commit(session, events)
  }

  /// The time at which a session ended whose process was not seen at its end.
  private func endTime(of session: AdoptedSession) -> Timestamp {
    heardAt[session.key] == nil || !isFollowing || !session.hasHadProcess
      ? session.lastAt ?? .now : .now
  }

  /// Stores the given state, and its events.
  func commit(_ session: AdoptedSession, _ events: [any Event]) {
    sessions[session.key] = session
    guard !events.isEmpty else { return }
    queue.add(events)
    unsaved.insert(session.key)
  }
}
