import Core
import Foundation
import TestSupport
import Testing

@testable import Tmux

/// Control mode of a real tmux, on a channel that sends nothing.
struct TmuxFollowTests {
  /// Follows a session until its output has the text, or the session ends.
  private func follow(
    _ server: TmuxServer, _ name: String, then: String, until end: String
  ) throws -> [TmuxEvent] {
    let file = server.home.path + "/followed"
    // The channel's input stays open, and nothing comes on it, until all is there.
    let wait = "for i in $(seq 6000); do grep -aq '\(end)' '\(file)' && exit; sleep 0.05; done"
    let attached = "until tmux list-clients -F x 2>/dev/null | grep -q x; do sleep 0.05; done"
    let line = try TmuxCommand.control(TmuxTarget(name)).line
    let answer = try server.run("{ \(attached); \(then); \(wait); } | \(line) > '\(file)'")
    #expect(answer.errors == [])
    let bytes = Array(try Data(contentsOf: URL(filePath: file)))
    return TmuxControlTests.events(bytes, cuts: Array(stride(from: 1, to: bytes.count, by: 7)))
  }

  @Test func `what a pane prints comes exactly, though it looks like tmux itself`() throws {
    let server = try TmuxServer()
    var random = SeededRandom(seed: 12)
    var bytes = Array("%end 1 1 1\n%exit\n%output %0 x\\012\n\\134%begin 1 2 0\n\u{7F}é漢😀".utf8)
    bytes += [0xFF, 0xC3, 0x28, 0x00, 0x1B, 0x0D]
    bytes += (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes += Array("THE-END".utf8)
    let file = server.home.path + "/data"
    try Data(bytes).write(to: URL(filePath: file))
    try server.tmux(
      "new-session", "-d", "-s", "a", "-x", "80", "-y", "24",
      "stty raw -echo; tmux wait-for go; cat '\(file)'; exec sleep 1000")
    let events = try follow(server, "a", then: "tmux wait-for -S go", until: "THE-END")
    let outputs = events.compactMap { if case .output(let output) = $0 { output } else { nil } }
    #expect(outputs.flatMap(\.bytes) == bytes)
    #expect(Set(outputs.map(\.pane)) == ["%0"])
    #expect(outputs.allSatisfy { $0.lagMs != nil })
    let replies = events.compactMap { if case .reply(let reply) = $0 { reply } else { nil } }
    #expect(replies.map(\.text) == [""] && replies.map(\.isError) == [false])
    let others = events.compactMap { if case .event(let event) = $0 { event } else { nil } }
    #expect(others.first?.event == .sessionChanged && others.first?.name == "a")
    #expect(others.last?.event == .exit)
    #expect(!others.contains { $0.event == .notice })
    var text = PaneText()
    let records = outputs.compactMap { text.record($0) } + text.rest(at: 9)
    let told = records.flatMap { record in
      record.data.map { Array($0.utf8) }
        ?? Array(Data(base64Encoded: record.dataBase64 ?? "") ?? Data())
    }
    #expect(told == bytes)
  }

  @Test func `what happens to windows and sessions is told`() throws {
    let server = try TmuxServer()
    try server.make("a")
    let then = [
      "tmux new-window -d -t '=a:' 'sleep 1000'", "tmux rename-window -t '=a:1' 'x é'",
      "tmux split-window -d -t '=a:0' 'sleep 1000'", "tmux select-pane -t '=a:0.1'",
      "tmux new-session -d -s b 'sleep 1000'", "tmux rename-session -t '=a:' 'new name'",
      "tmux select-window -t '=new name:1'", "tmux kill-window -t '=new name:1'",
      "tmux set-buffer THE-END", "tmux rename-session -t '=new name:' THE-END",
    ].joined(separator: "; ")
    let events = try follow(server, "a", then: then, until: "session-renamed.*THE-END")
    let others = events.compactMap { if case .event(let event) = $0 { event } else { nil } }
    func has(_ kind: TerminalEventKind, _ test: (TerminalEvent) -> Bool) -> Bool {
      others.contains { $0.event == kind && test($0) }
    }
    #expect(has(.windowAdd) { $0.windowId == "@1" })
    #expect(has(.windowRenamed) { $0.windowId == "@1" && $0.name == "x é" })
    #expect(has(.layoutChange) { $0.windowId == "@0" && $0.layout?.contains("80x") == true })
    #expect(has(.windowPaneChanged) { $0.windowId == "@0" && $0.paneId == "%2" })
    #expect(has(.sessionsChanged) { _ in true })
    #expect(has(.sessionRenamed) { $0.sessionId == "$0" && $0.name == "new name" })
    #expect(has(.sessionWindowChanged) { $0.sessionId == "$0" && $0.windowId == "@1" })
    #expect(
      has(.windowClose) { $0.windowId == "@1" } || has(.unlinkedWindowClose) { $0.windowId == "@1" }
    )
    #expect(!others.contains { $0.event == .notice && $0.text?.hasPrefix("%paste") != true })
  }

  @Test func `the end of a session is an exit without a reason`() throws {
    let server = try TmuxServer()
    try server.make("a")
    try server.make("b")
    let events = try follow(server, "a", then: "tmux kill-session -t '=a:'", until: "^%exit")
    #expect(events.last == TmuxControlTests.event(.exit))
    #expect(try !server.run(.has(TmuxTarget("a"))).exists(on: "box"))
  }
}
