import CodingAgents
import Core
import Foundation
import Processes
import TestSupport
import Testing

@testable import Adopting

/// The processes of sessions.
struct ProcessFinderTests {
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
    _ id: Int32, _ start: UInt64 = 10, parent: Int32 = 1, name: String = "claude",
    state: Character = "S", folder: String? = nil, program: String? = nil, words: [String] = [],
    files: [OpenFile] = []
  ) {
    let entry = ProcessEntry(
      ProcessIdentity(id: id, start: start), parent: parent, name: name, state: state)
    table.set(
      id,
      GivenProcesses.Given(
        entry: entry, folder: folder, program: program, words: words, files: files))
  }

  private func register(
    _ id: Int32, _ session: String, start: String = "10", status: String = "busy"
  ) throws {
    _ = try home.file(
      "claude/sessions/\(id).json",
      #"{"pid":\#(id),"procStart":"\#(start)","sessionId":"\#(session)","status":"\#(status)"}"#)
  }

  private func found(
    _ sessions: [(CodingAgent, String, String?)], parents: [String: String] = [:],
    locks: String = "/missing"
  ) -> [SessionProcess] {
    var finder = ProcessFinder(table, environment: environment, locks: locks)
    finder.refresh(Set(CodingAgent.allCases), guessing: true)
    let sought = sessions.map { Self.sought(SessionKey($0.0, $0.1), $0.2, parent: parents[$0.1]) }
    let found = finder.processes(of: sought)
    return sought.map { found[$0.key] ?? .none }
  }

  private static func sought(
    _ key: SessionKey, _ folder: String? = nil, parent: String? = nil
  ) -> ProcessFinder.Sought {
    ProcessFinder.Sought(key: key, folder: folder, parent: parent)
  }

  private func certainties(_ processes: [SessionProcess]) -> [String] {
    processes.map(\.certainty.rawValue)
  }

  @Test func `the registry names a process whose start matches`() throws {
    start(70)
    try register(70, "a", status: "waiting")
    let process = found([(.claude, "a", nil)])[0]
    #expect(process.certainty == .certain && process.refusal == nil)
    #expect(process.identity == ProcessIdentity(id: 70, start: 10) && process.status == .waiting)
    #expect(certainties(found([(.claude, "b", nil)])) == ["none"])
  }

  @Test func `a registry file outlives its process, and its id is reused`() throws {
    try register(70, "a")
    #expect(certainties(found([(.claude, "a", nil)])) == ["none"])
    start(70, 99)
    #expect(certainties(found([(.claude, "a", nil)])) == ["none"])
    start(70, 10, state: "Z")
    #expect(certainties(found([(.claude, "a", nil)])) == ["none"])
  }

  @Test func `a session in two processes is shared`() throws {
    start(70)
    start(71)
    try register(70, "a")
    try register(71, "a")
    let process = found([(.claude, "a", nil)])[0]
    #expect(process.certainty == .shared && process.refusal != nil)
  }

  @Test func `a folder with two names is one registry`() throws {
    start(70)
    try register(70, "a")
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/link", withDestinationPath: home.path + "/claude")
    let folders = "\(home.path)/claude,\(home.path)/link"
    let finder = ProcessFinder(
      table, environment: ["CLAUDE_CONFIG_DIR": folders], locks: "/missing")
    #expect(
      finder.confirms(
        ProcessIdentity(id: 70, start: 10), of: Self.sought(SessionKey(.claude, "a"))))
  }

  @Test(arguments: [
    #"{"pid":71,"procStart":"10","sessionId":"a"}"#, #"{"pid":70,"sessionId":"a"}"#,
    #"{"pid":70,"procStart":"ten","sessionId":"a"}"#, "[]", "", #"{"procStart":"10"}"#,
  ])
  func `a registry file that is not clear names no process`(_ text: String) throws {
    start(70)
    _ = try home.file("claude/sessions/70.json", text)
    _ = try home.file("claude/sessions/pid-70.json", #"{"procStart":"10","sessionId":"a"}"#)
    #expect(certainties(found([(.claude, "a", nil)])) == ["none"])
  }

  @Test func `a stopped process, and one under agent-run, are told`() throws {
    start(60, name: "agent-run")
    start(65, parent: 60, name: "sh")
    start(70, parent: 65, state: "T")
    try register(70, "a")
    let process = found([(.claude, "a", nil)])[0]
    #expect(process.isStopped && process.isUnderRunner)
    start(60, name: "bash")
    #expect(!found([(.claude, "a", nil)])[0].isUnderRunner)
  }

  /// Writes a lock of Codex; returns it as an open file.
  private func lock(_ thread: String) throws -> OpenFile {
    let path = try home.file("codex/thread-writer-locks/\(thread).lock", "")
    var status = stat()
    #expect(stat(path, &status) == 0)
    return OpenFile(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), isWritable: true)
  }

  private func list(_ holders: [(Int32, OpenFile)], kind: String = "WRITE") throws -> String {
    let lines = holders.enumerated().map { index, holder in
      "\(index + 1): FLOCK  ADVISORY  \(kind) \(holder.0) 00:2f:\(holder.1.inode) 0 EOF"
    }
    let other = """
      9: POSIX  ADVISORY  WRITE 1 00:2f:1 0 EOF
      9: -> FLOCK  ADVISORY  WRITE 5 00:2f:2 0 EOF
      """
    return try home.file("locks", (lines + [other]).joined(separator: "\n") + "\n")
  }

  @Test func `the holder of a lock is the process of its thread`() throws {
    let (first, second) = (try lock("a"), try lock("b"))
    start(70, name: "codex", files: [first])
    let locks = try list([(70, first), (71, second)])
    #expect(certainties(found([(.codex, "a", nil)], locks: locks)) == ["certain"])
    // Process 71 does not exist.
    #expect(certainties(found([(.codex, "b", nil)], locks: locks)) == ["none"])
  }

  @Test func `a process with several threads is shared, and the file must be the same`() throws {
    let (first, second) = (try lock("a"), try lock("b"))
    start(70, name: "codex", files: [first, second])
    let locks = try list([(70, first), (70, second)])
    #expect(
      certainties(found([(.codex, "a", nil), (.codex, "b", nil)], locks: locks))
        == ["shared", "shared"])
    // A file with this inode on another device is another file.
    let other = OpenFile(device: first.device &+ 1, inode: first.inode, isWritable: true)
    start(70, name: "codex", files: [other])
    #expect(certainties(found([(.codex, "a", nil)], locks: locks)) == ["none"])
  }

  @Test func `a service of Codex, a reader of a lock and another program are no certain process`()
    throws
  {
    let file = try lock("a")
    let locks = try list([(70, file)])
    func certainty(_ name: String, _ words: String...) -> [String] {
      start(70, name: name, words: words, files: [file])
      return certainties(found([(.codex, "a", nil)], locks: locks))
    }
    #expect(certainty("codex", "codex", "--yolo") == ["certain"])
    #expect(certainty("codex", "codex", "-c", "model=x", "app-server") == ["shared"])
    #expect(certainty("codex-app-serve", "/bin/codex-app-server") == ["shared"])
    #expect(certainty("codex-x86_64-un") == ["certain"])
    #expect(certainty("flock", "flock", "a.lock", "codex") == ["none"])
    start(70, name: "codex", files: [file])
    let read = try list([(70, file)], kind: "READ")
    #expect(certainties(found([(.codex, "a", nil)], locks: read)) == ["none"])
  }

  @Test func `without a lock, the writer of a thread's file is its process`() throws {
    let ids = (1...2).map { "01970000-0000-7000-8000-00000000000\($0)" }
    func open(_ id: String, isWritable: Bool = true) -> OpenFile {
      OpenFile(
        device: 1, inode: 1, isWritable: isWritable,
        path: "/h/.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-\(id).jsonl")
    }
    start(70, name: "codex", files: [open(ids[0]), open(ids[1], isWritable: false)])
    start(71, name: "tail", files: [open(ids[1])])
    #expect(
      certainties(found([(.codex, ids[0], nil), (.codex, ids[1], nil)])) == ["certain", "none"])
    let finder = ProcessFinder(table, environment: environment, locks: "/missing")
    let (identity, key) = (
      ProcessIdentity(id: 70, start: 10), Self.sought(SessionKey(.codex, ids[0]))
    )
    #expect(finder.confirms(identity, of: key))
    start(70, name: "codex", words: ["codex", "app-server"], files: [open(ids[0])])
    #expect(certainties(found([(.codex, ids[0], nil)])) == ["shared"])
    start(70, name: "codex", files: [open(ids[0]), open(ids[1])])
    #expect(
      certainties(found([(.codex, ids[0], nil), (.codex, ids[1], nil)])) == ["shared", "shared"])
    #expect(!finder.confirms(identity, of: key))
  }

  @Test func `folder and name are a guess, for one session each`() throws {
    start(70, name: "node", folder: "/w", words: ["node", "/usr/bin/gemini"])
    start(71, name: "opencode", folder: "/w")
    start(72, name: "gemini", folder: "/x")
    let processes = found([
      (.gemini, "late", "/w"), (.gemini, "early", "/w"), (.opencode, "o", "/w"),
      (.gemini, "other", "/y"), (.gemini, "unknown", nil),
    ])
    #expect(certainties(processes) == ["guess", "none", "guess", "none", "none"])
    #expect(processes[0].identity?.id == 70 && processes[0].refusal != nil)
  }

  @Test func `a session and its subagents share a guess, and no other session does`() throws {
    start(70, name: "opencode", folder: "/w")
    start(71, name: "opencode", folder: "/w")
    let sessions = ["deep", "other", "child", "parent", "late"].map {
      (CodingAgent.opencode, $0, "/w" as String?)
    }
    let family = ["deep": "child", "child": "parent", "late": "late"]
    let processes = found(sessions, parents: family)
    #expect(certainties(processes) == ["guess", "guess", "guess", "guess", "none"])
    #expect(processes.map { $0.identity?.id } == [70, 71, 70, 70, nil])
    let circle = ["deep": "child", "child": "deep"]
    #expect(found(Array(sessions.prefix(1)), parents: circle)[0].identity?.id == 70)
  }

  @Test(arguments: [
    (["agent-adopt", "gemini", "codex", "--follow"], false), (["vim", "gemini"], false),
    (["/usr/bin/node", "--no-warnings", "/usr/bin/gemini", "-p", "x"], true),
    (["node", "server.js", "gemini"], false), (["/opt/bin/gemini", "--yolo"], true), ([], false),
    (["node", "-r", "x.js", "--import", "y", "gemini"], true), (["node", "-r", "gemini"], false),
    (["bun", "--bun", "run", "gemini"], true), (["node", "run", "gemini"], false),
    (["/usr/bin/python3.12", "-u", "gemini"], true), (["node22", "gemini"], true),
  ])
  func `the name of a program is a guess, and its operands are none`(
    _ words: [String], _ isGemini: Bool
  ) throws {
    start(70, name: "main", folder: "/w", words: words)
    let process = found([(.gemini, "a", "/w")])[0]
    #expect(process.certainty == (isGemini ? .guess : .none))
  }

  @Test func `what is certain for one session is no guess for another`() throws {
    start(70, folder: "/w")
    try register(70, "a")
    #expect(
      certainties(found([(.claude, "b", "/w"), (.claude, "a", "/w")])) == ["none", "certain"])
  }

  @Test func `a session is confirmed only while its process states it`() throws {
    start(70)
    try register(70, "a")
    let finder = ProcessFinder(table, environment: environment, locks: "/missing")
    let (identity, key) = (
      ProcessIdentity(id: 70, start: 10), Self.sought(SessionKey(.claude, "a"))
    )
    #expect(finder.confirms(identity, of: key))
    try register(70, "b")
    #expect(!finder.confirms(identity, of: key))
    try register(70, "a")
    start(70, 11)
    #expect(!finder.confirms(identity, of: key))
  }
}
