import CodingAgents
import Core
import Events
import Foundation
import Processes
import Requests
import Storage
import TestSupport
import Testing

@testable import Adopting

/// The sessions of other programs as agents.
struct AdopterTests {
  private static let key = SessionKey(.claude, "s")
  private static let identity = ProcessIdentity(id: 70, start: 10)

  private let home: Home
  private let table = GivenProcesses()

  init() throws {
    home = try Home()
    try Directories.make(home.directories.state)
  }

  private func adopter(_ agent: CodingAgent = .claude) throws -> Adopter {
    let options = Adopter.Options(agents: [agent], swarm: nil, since: 3600, hub: nil)
    return try Adopter(
      options, environment: ["CLAUDE_CONFIG_DIR": home.path + "/claude"],
      directories: home.directories, table: table, interruption: Interruption(), report: { _ in })
  }

  /// The short texts of the events in the log.
  private func logged() throws -> [String] {
    try EventLog(home.directories).read(after: nil, limit: 100).entries.compactMap { entry in
      (try? TraceEvent(json: entry.line)).map { EventWords.of([$0])[0] }
    }
  }

  @Test func `positions are stored only behind events that are stored`() throws {
    try FileManager.default.createDirectory(
      atPath: home.path + "/claude/projects/-w", withIntermediateDirectories: true)
    let now = ISO8601DateFormatter().string(from: .now)
    _ = try home.file(
      "claude/projects/-w/s.jsonl",
      #"{"type":"user","sessionId":"s","timestamp":"\#(now)","message":{"content":"x"}}"# + "\n")
    // A folder cannot be opened as a log.
    let log = home.directories.data + "/events.db"
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
    #expect {
      try adopter().run(following: false, keep: nil)
    } throws: { ($0 as? Failure)?.code == .storageFailed }
    #expect(rmdir(log) == 0)
    #expect(try adopter().run(following: false, keep: nil).map(\.id) == ["claude-s"])
    #expect(try logged() == ["invoke_agent start"])
  }

  /// Returns an entry of the session at the given time.
  private func entry(
    _ content: SessionEntry.Content, _ at: Timestamp, subagent: String? = nil
  ) -> SessionEntry {
    SessionEntry(SessionKey(.claude, "s", subagent: subagent), content, at: at)
  }

  private func call(_ id: String) -> SessionEntry.Content {
    .call(
      SessionCall(
        id: id, answer: id, model: "m", usage: Usage(inputTokens: 10, outputTokens: 2), costUSD: 1))
  }

  @Test func `a call that was closed while the log fails is reported later`() throws {
    let (adopter, now) = (try adopter(), Timestamp.now)
    var session = AdoptedSession(Self.key, swarm: nil)
    var events = session.begin(at: now, heartbeat: nil, process: "none")
    events += session.fold(entry(call("a"), now), at: now, reporting: true)
    adopter.sessions[Self.key] = session
    adopter.unsaved = [Self.key]
    let closing = adopter.closeCalls(of: &session)
    #expect(EventWords.of(closing) == ["chat end 10+2"] && !session.hasOpenCalls)
    // A folder cannot be opened as a log.
    let log = home.directories.data + "/events.db"
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
    adopter.commit(session, events + closing)
    #expect { try adopter.save() } throws: { ($0 as? Failure)?.code == .storageFailed }
    #expect(rmdir(log) == 0)
    #expect(try self.adopter().run(following: false, keep: nil).map(\.id) == ["claude-s"])
    #expect(try logged() == ["invoke_agent start", "chat end 10+2"])
  }

  /// Returns the events of calls in the order in which they are read, of which `agent-run` reports
  /// those from 200 to 100 seconds ago.
  private func events(
    _ calls: [(id: String, secondsAgo: Double, subagent: String?)]
  ) throws -> [String] {
    let (adopter, now) = (try adopter(), Timestamp.now)
    adopter.finder.refresh([.claude], guessing: true)
    ReportedSessions(home.directories).store(
      ReportedSessions.Span(from: now.adding(seconds: -200), to: now.adding(seconds: -100)),
      of: Self.key)
    for (id, secondsAgo, subagent) in calls {
      let at = now.adding(seconds: -secondsAgo)
      adopter.fold([
        entry(call(id), at, subagent: subagent), entry(.turn(.ended), at, subagent: subagent),
      ])
    }
    adopter.queue.flush(within: 600)
    return try logged()
  }

  @Test func `older calls of subagents end no run, and count unless agent-run counts them`() throws
  {
    let went = [
      "invoke_agent start", "chat start", "chat end 10+2", "invoke_agent end finished",
      "invoke_agent start", "chat start", "chat end 10+2", "chat start s.x", "chat end 10+2 s.x",
    ]
    #expect(
      try events([
        ("a", 300, nil), ("b", 150, nil), ("c", 50, nil), ("d", 160, "x"), ("e", 250, "x"),
        ("f", 140, "x"),
      ]) == went)
  }

  @Test func `calls of subagents from before a run of agent-run count for the run before`() throws {
    let late = [
      "invoke_agent start", "chat start", "chat end 10+2", "invoke_agent end finished",
      "chat end 10+2 s.x", "invoke_agent end finished", "chat end 10+2 s.x",
      "invoke_agent end finished",
    ]
    #expect(
      try events([
        ("a", 300, nil), ("b", 150, nil), ("c", 250, "x"), ("d", 240, "x"), ("e", 140, "x"),
      ]) == late)
  }

  #if os(Linux)
    /// Starts a process under `agent-run`, half a minute ago.
    private func startUnderRunner(_ name: String) throws {
      let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8).split(separator: " ")
      let seconds = try #require(uptime.first.flatMap { Double($0) }) - 30
      let start = UInt64(seconds * Double(sysconf(Int32(_SC_CLK_TCK))))
      let runner = ProcessEntry(ProcessIdentity(id: 60, start: start), name: "agent-run")
      table.set(60, GivenProcesses.Given(entry: runner))
      let process = ProcessEntry(ProcessIdentity(id: 70, start: start), parent: 60, name: name)
      table.set(70, GivenProcesses.Given(entry: process, folder: "/w", words: [name]))
      _ = try home.file(
        "claude/sessions/70.json", #"{"pid":70,"procStart":"\#(start)","sessionId":"s"}"#)
    }

    @Test(arguments: [false, true])
    func `what a session did before its process under agent-run is reported`(
      _ hasEarlierCall: Bool
    ) throws {
      try FileManager.default.createDirectory(
        atPath: home.path + "/claude/sessions", withIntermediateDirectories: true)
      try startUnderRunner("claude")
      let before = [
        "invoke_agent start", "chat start", "chat end 10+2", "invoke_agent end finished",
      ]
      // An earlier run recorded the session, long before this process began.
      let calls = [("a", 60.0, nil as String?), ("b", 20, nil), ("c", 10, nil)]
      #expect(try events(hasEarlierCall ? [("z", 150, nil)] + calls : calls) == before)
    }

    @Test func `a guess under agent-run is reported unless agent-run named the session`() throws {
      try FileManager.default.createDirectory(
        atPath: home.path + "/claude/sessions", withIntermediateDirectories: true)
      try startUnderRunner("gemini")
      let (adopter, now) = (try adopter(.gemini), Timestamp.now)
      adopter.finder.refresh([.gemini], guessing: true)
      for id in ["s", "named"] {
        let key = SessionKey(.gemini, id)
        if id == "named" {
          ReportedSessions(home.directories).store(
            ReportedSessions.Span(from: now.adding(seconds: -30), to: now), of: key)
        }
        var facts = SessionFacts()
        facts.folder = "/w"
        adopter.fold([
          SessionEntry(key, .facts(facts), at: now.adding(seconds: -20)),
          SessionEntry(key, call(id), at: now.adding(seconds: -20)),
        ])
        #expect(adopter.processes[key]?.certainty == .guess)
      }
      adopter.queue.flush(within: 600)
      #expect(try logged() == ["invoke_agent start", "chat end 10+2"])
    }
  #endif

  /// Begins a session that a person asks to terminate; returns the id of the request.
  private func terminating(_ adopter: Adopter, _ store: Store) throws -> String {
    adopter.controls = try StoredAdoptedControls(
      home.directories, lock: Adopter.lock, report: { _ in }
    ) { _ in }
    var session = AdoptedSession(Self.key, swarm: nil)
    let start = Timestamp.now.adding(seconds: -60)
    let events = session.begin(at: start, heartbeat: nil, process: "certain")
    adopter.commit(session, events)
    adopter.addRunner(session)
    let request = ControlRequest(
      target: .agent, id: "claude-s", action: .terminate, reason: "r", actor: "a")
    #expect(try store.submit(request, standing: .running).outcome == .accepted)
    let control = try #require(try store.pendingControls(agents: ["claude-s"]).first)
    adopter.terminations = [
      Adopter.Termination(
        control: control, key: Self.key, identity: Self.identity, end: .now + .seconds(600))
    ]
    return request.requestId
  }

  @Test func `a session that was terminated ends after the outcome is reported`() throws {
    let lock = try FileLock.ifFree("\(home.directories.state)/\(Adopter.lock)")
    let (adopter, store) = (try adopter(), try Store(home.directories))
    let request = try terminating(adopter, store)
    // The process left the registry, but lives.
    table.set(70, GivenProcesses.Given(entry: ProcessEntry(Self.identity, name: "claude")))
    adopter.lookAtProcesses()
    #expect(adopter.sessions[Self.key]?.run != nil)
    #expect(try store.receipt(request)?.outcome == .accepted)
    table.set(70, nil)
    adopter.lookAtProcesses()
    #expect(try store.receipt(request)?.outcome == .applied)
    #expect(try !store.hasRunners(.agent, "claude-s"))
    #expect(try logged() == ["invoke_agent start", "invoke_agent end terminated"])
    withExtendedLifetime(lock) {}
  }
}
