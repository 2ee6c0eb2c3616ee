import CodingAgents
import Core
import Foundation
import Processes
import TestSupport
import Testing

@testable import Adopting

/// The rule by which a process is an agent's, and what a missing process means.
struct AgentProcessTests {
  private static let thread = "01a223b2-f411-73b3-9226-e99ee6e8298"

  private let home: Home
  private let table = GivenProcesses()
  private let environment: [String: String]

  init() throws {
    home = try Home()
    environment = ["CLAUDE_CONFIG_DIR": home.path + "/claude", "CODEX_HOME": home.path + "/codex"]
    for folder in ["claude/sessions", "codex/thread-writer-locks"] {
      try FileManager.default.createDirectory(
        atPath: "\(home.path)/\(folder)", withIntermediateDirectories: true)
    }
  }

  private func start(
    _ id: Int32, _ start: UInt64 = 10, name: String = "claude", folder: String = "/w",
    program: String? = nil, words: [String] = [], files: [OpenFile] = [], onTerminal: Bool = false
  ) {
    let entry = ProcessEntry(
      ProcessIdentity(id: id, start: start), name: name, hasTerminal: onTerminal)
    table.set(
      id,
      GivenProcesses.Given(
        entry: entry, folder: folder, program: program, words: words, files: files))
  }

  private func register(_ id: Int32, _ session: String, _ others: String = "") throws {
    _ = try home.file(
      "claude/sessions/\(id).json",
      #"{"pid":\#(id),"procStart":"10","sessionId":"\#(session)","status":"busy"\#(others)}"#)
  }

  private func finder(locks: String = "/missing") -> ProcessFinder {
    var finder = ProcessFinder(table, environment: environment, locks: locks)
    finder.refresh(Set(CodingAgent.allCases), guessing: true)
    return finder
  }

  private func sought(
    _ agent: CodingAgent = .claude, _ id: String = "a", _ folder: String? = "/w",
    version: String? = nil, isIdle: Bool = false, parent: String? = nil
  ) -> ProcessFinder.Sought {
    var sought = ProcessFinder.Sought(
      key: SessionKey(agent, id), folder: folder, parent: parent)
    (sought.version, sought.isIdle, sought.lastAt) = (version, isIdle, .now)
    return sought
  }

  private func found(
    _ sessions: ProcessFinder.Sought..., locks: String = "/missing"
  ) -> [SessionProcess] {
    let found = finder(locks: locks).processes(of: sessions)
    return sessions.map { found[$0.key] ?? .none }
  }

  // MARK: Programs

  private static let programs: [(String, String?, [String], Bool)] = [
    ("sleep", "/usr/bin/sleep", ["sleep", "3000"], false),
    // A process may call itself as it likes.
    ("claude", "/usr/bin/sleep", ["claude"], false), ("sleep", nil, ["sleep", "claude"], false),
    ("claude", "/home/claude/bin/sleep", ["claude"], false),
    ("claude", "/home/u/.local/bin/claude", ["claude"], true),
    ("2.1.332", "/home/u/.local/share/claude/versions/2.1.332", ["x"], true),
    ("2.1.332", "/home/u/.local/share/node/versions/2.1.332", ["x"], false),
    ("MainThread", "/nix/store/x/bin/.claude-wrapped", ["claude"], true),
    ("claude", "/usr/bin/node", ["claude"], true),
    ("node", "/usr/bin/node", ["node", "/usr/local/bin/claude", "-p"], true),
    ("bun", "/usr/bin/bun", ["bun", "run", "claude"], true),
    (
      "node", "/usr/bin/node22", ["node22", "/x/node_modules/@anthropic-ai/claude-code/cli.js"],
      true
    ),
    ("node", "/usr/bin/node", ["node", "server.js", "claude"], false),
    ("rg", "/x/node_modules/@anthropic-ai/claude-code/vendor/rg", ["rg"], false),
    ("claude", "/lib64/ld-linux-x86-64.so.2", ["claude"], true),
  ]

  @Test(arguments: programs)
  func `only a process of the agent's program belongs to a session`(
    _ name: String, _ program: String?, _ words: [String], _ isAgent: Bool
  ) throws {
    start(70, name: name, program: program, words: words)
    try register(70, "a")
    let process = found(sought())[0]
    #expect(process.certainty == (isAgent ? .certain : .none))
    let identity = ProcessIdentity(id: 70, start: 10)
    #expect(finder().confirms(identity, of: sought()) == isAgent)
  }

  @Test func `a lock and an open file name only processes of Codex`() throws {
    let path = "/h/rollout-2026-03-01T10-00-00-\(Self.thread)0.jsonl"
    let file = OpenFile(device: 1, inode: 1, isWritable: true, path: path)
    for (program, certainty) in [
      ("/usr/bin/flock", SessionProcess.Certainty.none), ("/usr/bin/codex", .certain),
      ("/x/codex-x86_64-unknown-linux-musl", .certain),
    ] {
      start(70, name: "codex", program: program, files: [file])
      #expect(found(sought(.codex, Self.thread + "0"))[0].certainty == certainty)
    }
  }

  // MARK: Folders

  @Test func `a process in another folder than its registry states is not certain`() throws {
    start(70, folder: "/x")
    try register(70, "a", #","cwd":"/w""#)
    let process = found(sought())[0]
    #expect(process.certainty == .guess && process.status == .running)
    #expect(process.refusal == "its process works in another folder than the session")
    #expect(!finder().confirms(ProcessIdentity(id: 70, start: 10), of: sought()))
    // The session went to another folder, and its process too.
    try register(70, "a", #","cwd":"/x""#)
    #expect(found(sought())[0].certainty == .certain)
  }

  @Test func `a folder may have two names, or be named in the command`() throws {
    let real = home.path + "/real"
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/link", withDestinationPath: real)
    start(70, folder: real)
    try register(70, "a", #","cwd":"\#(home.path)/link""#)
    #expect(found(sought())[0].certainty == .certain)
    let path = "/h/rollout-2026-03-01T10-00-00-\(Self.thread)0.jsonl"
    let file = OpenFile(device: 1, inode: 1, isWritable: true, path: path)
    start(71, name: "codex", folder: "/x", words: ["codex", "-C", "/w"], files: [file])
    #expect(found(sought(.codex, Self.thread + "0"))[0].certainty == .certain)
    start(71, name: "codex", folder: "/x", words: ["codex"], files: [file])
    #expect(found(sought(.codex, Self.thread + "0"))[0].certainty == .guess)
    var moved = sought(.codex, Self.thread + "0")
    moved.movedTo = "/x"
    #expect(found(moved)[0].certainty == .certain)
  }

  // MARK: Endings

  @Test func `without an entry a session has ended, and no other process is its own`() throws {
    start(70)
    try register(70, "other")
    let process = found(sought(version: "2.1.139"))[0]
    #expect(process.certainty == .none && process.hasEnded && process.refusal == "it has ended")
    start(71)
    #expect(found(sought(version: "2.1.332"))[0].hasEnded)
    // Older versions have no registry. A process that states another session is none of theirs.
    #expect(found(sought(version: "2.1.138"))[0].identity?.id == 71)
    table.set(71, nil)
    let old = found(sought(version: "2.1.138"))[0]
    #expect(old.certainty == .none && !old.hasEnded)
  }

  @Test func `a session whose registry cannot be judged has not ended`() throws {
    start(70)
    try register(70, "a", #","pidDomain":"linux:0123:pid:[1]""#)
    let process = found(sought(version: "2.1.332"))[0]
    #expect(process.certainty == .none && !process.hasEnded)
    try FileManager.default.removeItem(atPath: home.path + "/claude/sessions")
    #expect(!found(sought(version: "2.1.332"))[0].hasEnded)
  }

  @Test func `where no processes are shown, a session may go on`() throws {
    #expect(!found(sought(version: "2.1.332"))[0].hasEnded)
  }

  @Test func `a process that began after the last entry is no guess`() throws {
    start(70, name: "gemini")
    var early = sought(.gemini)
    early.lastAt = Timestamp(milliseconds: 0)
    #expect(found(early)[0].certainty == .none)
    #expect(found(sought(.gemini))[0].certainty == .guess)
  }

  @Test func `a process leaves the registry before it ends, or for another session`() throws {
    let identity = ProcessIdentity(id: 70, start: 10)
    start(70)
    #expect(finder().hasLeft(identity, .claude))
    try register(70, "other")
    #expect(!finder().hasLeft(identity, .claude))
    start(70, 11)
    #expect(!finder().hasLeft(identity, .claude))
    start(70, program: "/usr/bin/sleep")
    #expect(!finder().hasLeft(identity, .claude))
  }

  @Test func `an entry that is being written is the one before`() throws {
    start(70)
    try register(70, "a")
    var finder = finder()
    _ = try home.file("claude/sessions/70.json", #"{"pid":70,"#)
    finder.refresh([.claude], guessing: false)
    let sought = sought(version: "2.1.332")
    #expect(finder.processes(of: [sought])[sought.key]?.certainty == .certain)
    unlink(home.path + "/claude/sessions/70.json")
    finder.refresh([.claude], guessing: false)
    #expect(finder.processes(of: [sought])[sought.key]?.hasEnded == true)
  }

  /// Writes locks of Codex that the given process holds; returns the list and the open files.
  private func locks(_ threads: [String], heldBy id: Int32?) throws -> (String, [OpenFile]) {
    var files: [OpenFile] = []
    for thread in threads {
      let path = try home.file("codex/thread-writer-locks/\(thread).lock", "")
      var status = stat()
      #expect(stat(path, &status) == 0)
      files.append(
        OpenFile(
          device: UInt64(status.st_dev), inode: UInt64(status.st_ino), isWritable: true, path: path)
      )
    }
    let lines = files.map { "1: FLOCK  ADVISORY  WRITE \(id ?? 0) 00:2f:\($0.inode) 0 EOF\n" }
    return (try home.file("locks", id == nil ? "" : lines.joined()), files)
  }

  @Test func `a thread whose lock is free has ended, and one without a lock may not have`() throws {
    start(70, name: "codex")
    #expect(!found(sought(.codex, "a", version: "0.147.0"))[0].hasEnded)
    let (list, _) = try locks(["a"], heldBy: nil)
    let process = found(sought(.codex, "a", version: "0.163.0"), locks: list)[0]
    #expect(process.hasEnded && process.identity == nil)
    #expect(found(sought(.codex, "a", version: "0.146.2"), locks: list)[0].certainty == .guess)
    #expect(!found(sought(.codex, "b", version: "0.163.0"), locks: list)[0].hasEnded)
    // Versions with this file remove a thread's lock with its process.
    _ = try locks([".coordination"], heldBy: nil)
    #expect(found(sought(.codex, "b", version: "0.163.0"), locks: list)[0].hasEnded)
  }

  // MARK: The server of Codex

  private func startServer(_ threads: [String]) throws -> String {
    let (list, files) = try locks(threads, heldBy: 60)
    let program = "/h/.codex/packages/app-server-daemon/releases/0.163.0/bin/codex"
    start(
      60, name: "codex", program: program,
      words: [program, "app-server", "--listen", "unix://", "--managed-daemon"], files: files)
    return list
  }

  @Test func `a thread of the background server waits, works, and ends with its terminal`() throws {
    let list = try startServer(["a"])
    start(70, name: "codex", onTerminal: true)
    let idle = found(sought(.codex, version: "0.163.0", isIdle: true), locks: list)[0]
    #expect(idle.certainty == .shared && idle.identity?.id == 60 && idle.status == .waiting)
    #expect(idle.waitingFor == .prompt && !idle.statesStatus)
    #expect(idle.refusal?.contains("--disable daemon_auto_start") == true)
    let busy = found(sought(.codex, version: "0.163.0"), locks: list)[0]
    #expect(busy.status == .running && busy.certainty == .shared)
    table.set(70, nil)
    let left = sought(.codex, version: "0.163.0", isIdle: true)
    let finder = finder(locks: list)
    let found = finder.processes(of: [left])
    #expect(found[left.key]?.hasEnded == true && finder.misses([left], in: found))
    // The server goes on with a turn.
    #expect(self.found(sought(.codex, version: "0.163.0"), locks: list)[0].status == .running)
  }

  @Test func `each terminal shows one thread of its folder, and subagents have none`() throws {
    // The ids have the time of their start.
    let (first, second) = (Self.thread + "1", "01a223b3-9a6c-7273-b474-337c604795d9")
    let list = try startServer([first, second, "sub", "elsewhere"])
    start(70, 10, name: "codex", onTerminal: true)
    start(71, 20, name: "codex", folder: "/v")
    start(72, 30, name: "codex", onTerminal: true)
    func states(_ folder: String = "/w") -> [String] {
      found(
        sought(.codex, first, isIdle: true), sought(.codex, second, isIdle: true),
        sought(.codex, "sub", isIdle: true, parent: first),
        sought(.codex, "elsewhere", "/v", isIdle: true), locks: list
      ).map { $0.status?.rawValue ?? $0.certainty.rawValue }
    }
    #expect(states() == ["waiting", "waiting", "none", "none"])
    table.set(72, nil)
    #expect(states().filter { $0 == "waiting" }.count == 1)
  }

  @Test func `a turn that has ended in a terminal waits for the next prompt`() throws {
    let (list, files) = try locks(["a"], heldBy: 70)
    start(70, name: "codex", files: files, onTerminal: true)
    let process = found(sought(.codex, isIdle: true), locks: list)[0]
    #expect(process.certainty == .certain && process.status == .waiting)
    #expect(found(sought(.codex), locks: list)[0].status == nil)
  }
}
