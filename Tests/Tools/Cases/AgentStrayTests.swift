import Foundation
import TestSupport
import Testing

/// Processes of a command that leave its group.
@Suite("agent-run and who leaves the group")
struct AgentStrayTests {
  /// A child in a session of its own, whose parent ends at once: a daemon, as daemon(7) makes them.
  private static let daemon = "(setsid sleep 600 & echo $!) ; "

  private func stray(_ running: Running) async throws -> pid_t {
    try await running.scratch.until("the command runs") { running.output.hasSuffix("on\n") }
    let id = try #require(pid_t(running.output.split(separator: "\n")[0]))
    try await running.scratch.until("it has left") { getsid(id) == id }
    return id
  }

  private func isThere(_ id: pid_t) -> Bool {
    guard let status = FileManager.default.contents(atPath: "/proc/\(id)/stat") else {
      return false
    }
    return !(String(decoding: status, as: UTF8.self).split(separator: ")").last ?? "")
      .hasPrefix(" Z")
  }

  @Test(arguments: ["", "exec </dev/null >/dev/null 2>&1; "])
  func `terminate ends who left the group, too`(redirected: String) async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting(
        "agent-run", "--agent", "a", "--", "sh", "-c",
        "(setsid sh -c '\(redirected)trap \"\" TERM; sleep 600; sleep 600' & echo $!); echo on; exec sleep 600"
      )
      let stray = try await stray(running)
      let ended = try await scratch.shell(
        "agent-control terminate agent a --reason 'no longer needed' --confirm TERMINATE --wait 4m")
      #expect(ended.records("controlReceipt").map { $0["outcome"] } == ["applied"])
      #expect(!isThere(stray))
      #expect(await running.ended().endings == [.signal(SIGTERM)])
    }
  }

  @Test func `when agent-run is killed, who left the group ends with it`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting(
        "agent-run", "--", "sh", "-c", Self.daemon + "echo on; exec sleep 600")
      let stray = try await stray(running)
      running.child.signal(SIGKILL)
      #expect(await running.ended().endings == [.signal(SIGKILL)])
      try await scratch.until("it is gone") { !isThere(stray) }
    }
  }

  @Test func `a command that ends by itself leaves them alone`() async throws {
    try await Scratch.with { scratch in
      let running = try scratch.starting("agent-run", "--", "sh", "-c", Self.daemon + "echo on")
      let stray = try await stray(running)
      #expect(await running.ended().endings == [.exit(0)])
      #expect(kill(stray, SIGKILL) == 0)
    }
  }
}
