import Foundation
import TestSupport
import Testing

/// tmux-attach's output as whole texts, where a host shows the same everywhere.
@Suite("options of tmux-attach")
struct TmuxOptionTests {
  private static func withHost(_ body: (Scratch, SSHHost) async throws -> Void) async throws {
    try await Scratch.with { scratch in
      let host = try await SSHHost(scratch)
      scratch.set("HOST", host.patientAddress)
      scratch.set("KEY", scratch.path("user_key"))
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7", columns: 40, lines: 5)
        try await body(scratch, host)
      }
    }
  }

  @Test func `a session is made, listed, shown and ended`() async throws {
    try await Self.withHost { scratch, _ in
      try await scratch.shell("tmux-attach trust -i $KEY $HOST 2>&1 >/dev/null | cut -d ' ' -f 1-2")
      let shape = "jq -c '[.type, .name, .width, .height, .attached]'"
      try await scratch.shell("tmux-attach list --json -i $KEY $HOST | \(shape)")
      try await scratch.shell(
        "tmux-attach create --size 60x7 -i $KEY $HOST other -- sleep 600 | \(shape)")
      try await scratch.shell("tmux-attach list --text -i $KEY $HOST | cut -d ' ' -f 1")
      try await scratch.shell(
        "tmux-attach snapshot --json -i $KEY $HOST agent-7 | jq -c '[.type, .width, .height]'")
      try await scratch.shell("tmux-attach kill -i $KEY $HOST other")
      try await scratch.shell(
        "tmux-attach kill -i $KEY $HOST other 2>/dev/null | jq -c '[.code, .kind]'")
      try await scratch.shell("tmux-attach list --verbose -i $KEY $HOST | jq -r .name")
      try scratch.expectGolden("tmux-attach/sessions")
    }
  }

  @Test func `another configuration of ssh names the host and its key`() async throws {
    try await Self.withHost { scratch, host in
      try scratch.write(
        "work/config",
        """
        Host box
          HostName 127.0.0.1
          Port \(host.port)
          User \(NSUserName())
          IdentityFile \(scratch.path("user_key"))

        """)
      try await scratch.shell(
        "tmux-attach list --ssh-config config --trust accept-new box 2>/dev/null | jq -r .name")
      try await scratch.shell("tmux-attach list --ssh-config missing box")
      try scratch.expectGolden("tmux-attach/ssh-config")
    }
  }

  @Test func `a host that stays away is waited for so long and no longer`() async throws {
    try await Self.withHost { scratch, host in
      let proxy = try await scratch.serveProxy(to: host.port)
      let address = "\(NSUserName())@127.0.0.1:\(proxy.port)"
      try await scratch.shell("tmux-attach trust \(address)")
      let watch = try scratch.running(
        "tmux-attach watch --reconnect 1s -i $KEY \(address) agent-7")
      try await scratch.until("it watches") { watch.output.contains("sessionChanged") }
      proxy.child.signal(SIGKILL)
      let run = await watch.ended()
      #expect(run.errors.contains("was lost: retrying"))
      #expect(run.statuses == [69])
      #expect(run.records("error").first?["code"] == "SSHHostUnreachable")
    }
  }

  @Test func `what speaks no SSH ends with 76`() async throws {
    try await Scratch.with { scratch in
      let program = """
        import socket
        s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
        print(s.getsockname()[1], flush=True)
        while True:
            c, _ = s.accept()
            c.sendall(b'HTTP/1.1 400 Bad Request\\r\\n\\r\\n'); c.close()
        """
      let server = try scratch.running(["python3", "-c", program], "a server")
      try await scratch.until("it listens") { server.output.hasSuffix("\n") }
      let port = server.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let run = try await scratch.shell(
        "tmux-attach list --timeout 250s tester@127.0.0.1:\(port) 2>/dev/null | jq -c '[.code, .kind]'"
      )
      #expect(run.statuses == [76, 0])
      try scratch.expectGolden("tmux-attach/protocol")
    }
  }
}
