import Core
import Foundation
public import Processes

/// A finder of the processes of sessions.
///
/// Claude Code's registry, and Codex's locks and open files, name processes for certain. Any other
/// process is a guess, from its working folder and the name of its program. Versions that name the
/// processes of all their sessions leave nothing to guess.
public struct ProcessFinder: Sendable {
  /// The time for which guesses are not renewed.
  private static let pause = Duration.seconds(5)

  /// The processes of the system.
  public let table: any ProcessTable
  private let environment: [String: String]
  private let lockList: String
  /// `true` if the system shows no processes.
  private let isBlind: Bool
  private var registry = ClaudeRegistry()
  private var locks = CodexLocks()
  /// The processes that agents state for sessions.
  private var stated: [CodingAgent: [String: [SessionProcess]]] = [:]
  /// The processes that have files of Codex's threads open for writing.
  ///
  /// Versions before 0.147 hold no locks.
  private var writers: [String: [SessionProcess]] = [:]
  /// The processes of each agent's program that serve no other program.
  private var programs: [CodingAgent: [ProcessIdentity]] = [:]
  private var guessedAt: ContinuousClock.Instant?

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - table: The processes.
  ///   - environment: The environment, whose variables may move the agents' folders.
  ///   - locks: The path of the system's list of locks.
  public init(
    _ table: any ProcessTable, environment: [String: String], locks: String = "/proc/locks"
  ) {
    (self.table, self.environment, lockList) = (table, environment, locks)
    isBlind = table.ids.isEmpty
  }

  // MARK: Reading

  /// Reads what the agents state about their processes.
  ///
  /// - Parameters:
  ///   - agents: The agents.
  ///   - guesses: `true` to look for processes by their names too, now and then.
  public mutating func refresh(_ agents: Set<CodingAgent>, guessing guesses: Bool) {
    if agents.contains(.claude) { readRegistry() }
    if agents.contains(.codex) { readLocks() }
    guard guesses, guessedAt.map({ $0 + Self.pause <= .now }) ?? true else { return }
    guessedAt = .now
    search(agents)
  }

  /// Forgets when processes were last looked for by their names.
  public mutating func guessAgain() { guessedAt = nil }

  private mutating func readRegistry() {
    let roots = SessionPlaces(.claude, environment: environment).roots
    registry = ClaudeRegistry(roots, after: registry)
    var found: [String: [SessionProcess]] = [:]
    for entry in registry.entries where !entry.isElsewhere {
      guard let process = AgentProcess(entry.identity.id, of: .claude, in: table),
        process.entry.identity == entry.identity,
        // One folder may have two names.
        found[entry.session]?.contains(where: { $0.identity == entry.identity }) != true
      else { continue }
      var stated = SessionProcess(
        certainty: .certain, identity: entry.identity, status: entry.agentStatus)
      (stated.waitingFor, stated.name) = (entry.cause, entry.name)
      (stated.folder, stated.statesStatus) = (entry.folder, stated.status != nil)
      found[entry.session, default: []].append(stated)
    }
    stated[.claude] = found
  }

  private mutating func readLocks() {
    locks = CodexLocks(
      SessionPlaces(.codex, environment: environment).roots, table, list: lockList)
    var found: [String: [SessionProcess]] = [:]
    for (thread, holders) in locks.threads {
      for id in holders.ids {
        guard let process = AgentProcess(id, of: .codex, in: table) else { continue }
        let isAlone = locks.counts[id] == 1
        found[thread, default: []].append(Self.codex(process, isAlone: isAlone))
      }
    }
    stated[.codex] = found
  }

  /// Returns a process of Codex that writes a thread.
  private static func codex(_ process: AgentProcess, isAlone: Bool) -> SessionProcess {
    let program = process.program
    var stated = SessionProcess(
      certainty: isAlone && !program.isService ? .certain : .shared,
      identity: process.entry.identity)
    stated.isDaemon = program.isDaemon
    if program.isDaemon {
      stated.doubt =
        "Codex's background server runs it together with other threads: interrupt it in its terminal, "
        + "or run 'codex app-server daemon stop' and start Codex with '--disable daemon_auto_start'"
    } else if program.isService {
      stated.doubt = "its process serves the threads of another program"
    }
    return stated
  }

  private mutating func search(_ agents: Set<CodingAgent>) {
    var found: [Int32: (agent: CodingAgent, process: AgentProcess)] = [:]
    for id in table.ids {
      guard let process = AgentProcess(id, of: nil, in: table),
        let agent = agents.first(where: process.program.isAgent)
      else { continue }
      found[id] = (agent, process)
    }
    (programs, writers) = ([:], [:])
    for (_, (agent, process)) in found.sorted(by: { $0.key < $1.key }) {
      if agent == .codex { addWriter(process) }
      // An agent's program may start itself again for a part of its work.
      guard !process.program.isService, found[process.entry.parent]?.agent != agent else {
        continue
      }
      programs[agent, default: []].append(process.entry.identity)
    }
  }

  private mutating func addWriter(_ process: AgentProcess) {
    let open = table.files(of: process.entry.identity.id).filter(\.isWritable)
    let threads = Set(open.compactMap { Self.thread(ofFile: $0.path) })
    for thread in threads {
      writers[thread, default: []].append(Self.codex(process, isAlone: threads.count == 1))
    }
  }

  /// Returns the thread whose file has the given path; nil if it is another file.
  private static func thread(ofFile path: String) -> String? {
    let name = (path as NSString).lastPathComponent
    // The name ends with the thread's id, which has 36 characters.
    guard name.hasPrefix("rollout-"), name.hasSuffix(".jsonl"), name.count > 50 else { return nil }
    return String(name.dropLast(6).suffix(36))
  }

  // MARK: Finding

  /// Returns the processes of the given sessions, which are sorted by their last activity, the
  /// latest first.
  ///
  /// A process is guessed for one session and its subagents only.
  public func processes(of sessions: [Sought]) -> [SessionKey: SessionProcess] {
    var found: [SessionKey: SessionProcess] = [:]
    var parents: [SessionKey: SessionKey] = [:]
    for session in sessions {
      found[session.key] = stated(session)
      parents[session.key] = session.parent.map { SessionKey(session.key.agent, $0) }
    }
    serve(sessions, &found)
    var taken = Set(
      (stated.values.flatMap { $0.values.joined() } + writers.values.joined())
        .compactMap(\.identity) + found.values.compactMap(\.identity))
    var guesses: [SessionKey: ProcessIdentity] = [:]
    for session in sessions where found[session.key]?.identity == nil {
      guard !isStatedAlways(session), found[session.key]?.hasEnded != true else { continue }
      let root = Self.root(of: session.key, parents)
      let candidates = session.folder.map { processes(of: root.agent, in: [$0]) } ?? []
      let identity =
        guesses[root]
        ?? candidates.first { !taken.contains($0) && Self.began($0, before: session.lastAt) }
      guard let identity else { continue }
      taken.insert(identity)
      guesses[root] = identity
      found[session.key] = SessionProcess(certainty: .guess, identity: identity).current(in: table)
    }
    return found
  }

  /// Returns `true` if the given process may have made an entry of the given time.
  private static func began(_ identity: ProcessIdentity, before time: Timestamp?) -> Bool {
    let process = SessionProcess(certainty: .guess, identity: identity)
    guard let time, let start = process.startedAt else { return true }
    return start <= time
  }

  /// Returns the session that started the given one, directly or through other sessions.
  private static func root(
    of key: SessionKey, _ parents: [SessionKey: SessionKey]
  ) -> SessionKey {
    var root = key
    // The files may state a circle.
    for _ in 0..<parents.count {
      guard let parent = parents[root] else { break }
      root = parent
    }
    return root
  }

  private func processes(of agent: CodingAgent, in folders: [String]) -> [ProcessIdentity] {
    (programs[agent] ?? []).filter { identity in
      AgentProcess(identity.id, of: agent, in: table).map {
        $0.entry.identity == identity && $0.isIn(folders)
      } ?? false
    }
  }

  /// Returns `true` if the program states the process of each of its sessions.
  private func isStatedAlways(_ session: Sought) -> Bool {
    let first: String
    switch session.key.agent {
    case .claude where registry.isThere: first = ClaudeRegistry.firstVersion
    case .codex: first = CodexLocks.firstVersion
    case .claude, .gemini, .opencode: return false
    }
    guard let version = session.version else { return false }
    return version.compare(first, options: .numeric) != .orderedAscending
  }

  /// Returns the process that the agent states for the given session.
  private func stated(_ session: Sought) -> SessionProcess {
    let known = stated[session.key.agent]?[session.key.id]
    let stated = known ?? (session.key.agent == .codex ? writers[session.key.id] ?? [] : [])
    let living = stated.map { checked($0.current(in: table), session) }
      .filter { $0.certainty != .none }
    guard var first = living.first else { return hasEnded(session) ? .ended : .none }
    if living.count > 1 { first.certainty = .shared }
    // The registry of Claude Code states this. Codex shows it by the end of a turn.
    if session.key.agent == .codex, session.isIdle, first.hasTerminal { first.setIdle() }
    return first
  }

  /// Returns the given process, which is certain only if it works in the folder of its session.
  private func checked(_ process: SessionProcess, _ session: Sought) -> SessionProcess {
    let folders = process.folder.map { [$0] } ?? session.folders
    guard process.certainty == .certain, let identity = process.identity, !folders.isEmpty,
      AgentProcess(identity.id, of: session.key.agent, in: table)?.isIn(folders) != true
    else { return process }
    var process = process
    process.certainty = .guess
    process.doubt = "its process works in another folder than the session"
    return process
  }

  /// Returns `true` if the files of the agent show that the given session has no process.
  private func hasEnded(_ session: Sought) -> Bool {
    guard !isBlind, isStatedAlways(session) else { return false }
    let id = session.key.id
    switch session.key.agent {
    case .claude: return !registry.entries.contains { $0.session == id && $0.isElsewhere }
    // Before locks were removed, one that was never taken showed nothing.
    case .codex: return locks.threads[id]?.isFree ?? locks.areRemoved
    case .gemini, .opencode: return false
    }
  }

  /// Returns `true` if the agent still states the given process for the given session, and no
  /// other.
  public func confirms(_ identity: ProcessIdentity, of session: Sought) -> Bool {
    var fresh = self
    // Open files are read together with the names of programs.
    fresh.guessAgain()
    fresh.refresh([session.key.agent], guessing: session.key.agent == .codex)
    let stated = fresh.stated(session)
    return stated.certainty == .certain && stated.identity == identity
  }

  /// Returns `true` if the given process of the agent states no session any longer.
  ///
  /// A process of Claude Code leaves the registry before it ends.
  public func hasLeft(_ identity: ProcessIdentity, _ agent: CodingAgent) -> Bool {
    var fresh = self
    fresh.guessAgain()
    fresh.refresh([agent], guessing: true)
    let stated = [fresh.stated[agent] ?? [:], fresh.writers].flatMap { $0.values.joined() }
    return !stated.contains { $0.identity == identity }
      && AgentProcess(identity.id, of: agent, in: table)?.entry.identity == identity
  }

  // MARK: The server of Codex

  /// `true` if a thread that Codex's background server holds may have a terminal that was not found.
  public func misses(_ sessions: [Sought], in found: [SessionKey: SessionProcess]) -> Bool {
    sessions.contains { session in
      session.key.agent == .codex && found[session.key]?.hasEnded ?? false
        && stated[.codex]?[session.key.id]?.contains(where: \.isDaemon) ?? false
    }
  }

  /// Sets the states of the threads that Codex's background server holds.
  ///
  /// The server keeps a thread after its terminal was closed. The latest threads of a folder have
  /// the terminals that are left in it.
  private func serve(_ sessions: [Sought], _ found: inout [SessionKey: SessionProcess]) {
    var free: [String: [SessionProcess]] = [:]
    for session in sessions {
      guard var process = found[session.key], process.isDaemon else { continue }
      let folder = session.folder ?? ""
      var clients = free[folder] ?? terminals(in: session.folders)
      let client = session.parent == nil ? Self.client(of: session, &clients) : nil
      free[folder] = clients
      if !session.isIdle {
        process.status = .running
      } else if let client, client.identity != nil {
        process.setIdle()
      } else {
        process = .ended
      }
      found[session.key] = process
    }
  }

  /// Returns the processes of Codex that show a thread in a terminal, the one that started last
  /// first.
  private func terminals(in folders: [String]) -> [SessionProcess] {
    processes(of: .codex, in: folders)
      .map { SessionProcess(certainty: .guess, identity: $0).current(in: table) }
      .filter { process in
        process.hasTerminal && process.identity.map { locks.counts[$0.id] == nil } ?? false
      }
      .sorted { ($0.identity?.start ?? 0) > ($1.identity?.start ?? 0) }
  }

  /// Removes and returns the terminal of the given thread; nil if there is none.
  ///
  /// It is the one that started last before the thread began, or else, for a thread that was
  /// resumed, before its last activity.
  private static func client(
    of session: Sought, _ clients: inout [SessionProcess]
  ) -> SessionProcess? {
    let times = [CodexLocks.start(of: session.key.id), session.lastAt]
    for case let time? in times {
      let index = clients.firstIndex { $0.startedAt.map { $0 <= time } ?? true }
      if let index { return clients.remove(at: index) }
    }
    return nil
  }
}
