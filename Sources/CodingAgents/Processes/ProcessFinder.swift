public import Core
import Foundation
public import Processes

/// A finder of the processes of sessions.
///
/// Claude Code's registry, and Codex's locks and open files, name processes for certain. Any other
/// process is a guess, from its working folder and the name of its program.
public struct ProcessFinder: Sendable {
  /// The time for which guesses are not renewed.
  private static let pause = Duration.seconds(5)

  /// The processes of the system.
  public let table: any ProcessTable
  private let environment: [String: String]
  private let locks: String
  private var registry: [String: [SessionProcess]] = [:]
  private var threads: [String: [SessionProcess]] = [:]
  /// The processes that have files of Codex's threads open for writing.
  ///
  /// Versions before 0.147 hold no locks.
  private var writers: [String: [SessionProcess]] = [:]
  /// The processes of each agent's program, by working folder.
  private var programs: [CodingAgent: [String: [ProcessIdentity]]] = [:]
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
    (self.table, self.environment, self.locks) = (table, environment, locks)
  }

  /// Reads what the agents state about their processes.
  ///
  /// - Parameters:
  ///   - agents: The agents.
  ///   - guesses: `true` to look for processes by their names too, now and then.
  public mutating func refresh(_ agents: Set<CodingAgent>, guessing guesses: Bool) {
    if agents.contains(.claude) { registry = registered }
    if agents.contains(.codex) { threads = locked }
    guard guesses, guessedAt.map({ $0 + Self.pause <= .now }) ?? true else { return }
    guessedAt = .now
    (programs, writers) = ([:], [:])
    for id in table.ids { guess(id, agents) }
  }

  /// Forgets when processes were last looked for by their names.
  public mutating func guessAgain() { guessedAt = nil }

  private var registered: [String: [SessionProcess]] {
    ClaudeRegistry(SessionPlaces(.claude, environment: environment).roots, table).processes
  }

  private var locked: [String: [SessionProcess]] {
    CodexLocks(SessionPlaces(.codex, environment: environment).roots, table, list: locks).processes
  }

  private mutating func guess(_ id: Int32, _ agents: Set<CodingAgent>) {
    guard let entry = table.entry(id), !entry.hasEnded else { return }
    let program = AgentProgram(entry, words: table.words(of: id))
    guard let agent = agents.first(where: program.isAgent) else { return }
    if agent == .codex { addWriter(entry, isService: program.isService) }
    guard let folder = table.folder(of: id) else { return }
    programs[agent, default: [:]][folder, default: []].append(entry.identity)
  }

  private mutating func addWriter(_ entry: ProcessEntry, isService: Bool) {
    let open = table.files(of: entry.identity.id).filter(\.isWritable)
    let threads = Set(open.compactMap { Self.thread(ofFile: $0.path) })
    let isAlone = threads.count == 1 && !isService
    for thread in threads {
      writers[thread, default: []].append(
        SessionProcess(certainty: isAlone ? .certain : .shared, identity: entry.identity))
    }
  }

  /// Returns the thread whose file has the given path; nil if it is another file.
  private static func thread(ofFile path: String) -> String? {
    let name = (path as NSString).lastPathComponent
    // The name ends with the thread's id, which has 36 characters.
    guard name.hasPrefix("rollout-"), name.hasSuffix(".jsonl"), name.count > 50 else { return nil }
    return String(name.dropLast(6).suffix(36))
  }

  /// A session whose process is sought.
  public struct Sought {
    /// The session.
    public var key: SessionKey
    /// The working folder; nil if it is unknown.
    public var folder: String?
    /// The id of the session that started this one as a subagent; nil for none.
    public var parent: String?

    /// Creates the description of a session.
    public init(key: SessionKey, folder: String?, parent: String?) {
      (self.key, self.folder, self.parent) = (key, folder, parent)
    }
  }

  /// Returns the processes of the given sessions, which are sorted by their last activity, the
  /// latest first.
  ///
  /// A process is guessed for one session and its subagents only.
  public func processes(of sessions: [Sought]) -> [SessionKey: SessionProcess] {
    var found: [SessionKey: SessionProcess] = [:]
    var parents: [SessionKey: SessionKey] = [:]
    for session in sessions {
      found[session.key] = stated(session.key)
      parents[session.key] = session.parent.map { SessionKey(session.key.agent, $0) }
    }
    var taken = Set(found.values.compactMap(\.identity))
    var guesses: [SessionKey: ProcessIdentity] = [:]
    for session in sessions where found[session.key]?.identity == nil {
      let root = Self.root(of: session.key, parents)
      let candidates = session.folder.flatMap { programs[root.agent]?[$0] } ?? []
      guard let identity = guesses[root] ?? candidates.first(where: { !taken.contains($0) })
      else { continue }
      taken.insert(identity)
      guesses[root] = identity
      found[session.key] = SessionProcess(certainty: .guess, identity: identity).current(in: table)
    }
    return found
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

  /// Returns the process that the agent states for the given session.
  private func stated(_ key: SessionKey) -> SessionProcess {
    let stated =
      switch key.agent {
      case .claude: registry[key.id] ?? []
      case .codex: threads[key.id] ?? writers[key.id] ?? []
      case .gemini, .opencode: [SessionProcess]()
      }
    let living = stated.map { $0.current(in: table) }.filter { $0.certainty != .none }
    guard living.count > 1, var first = living.first else { return living.first ?? .none }
    first.certainty = .shared
    return first
  }

  /// Returns `true` if the agent still states the given process for the given session, and no
  /// other.
  public func confirms(_ identity: ProcessIdentity, of key: SessionKey) -> Bool {
    var fresh = self
    // Open files are read together with the names of programs.
    fresh.guessAgain()
    fresh.refresh([key.agent], guessing: key.agent == .codex)
    let stated = fresh.stated(key)
    return stated.certainty == .certain && stated.identity == identity
  }
}
