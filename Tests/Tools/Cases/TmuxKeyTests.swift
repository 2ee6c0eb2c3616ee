import Foundation
import TestSupport
import Testing

/// The keys that tmux-attach offers, against OpenSSH's own server and agent.
@Suite("tmux-attach and keys")
struct TmuxKeyTests {
  /// Runs a test with a trusted host that has one session, `agent-7`, and an agent without keys.
  private static func withHost(_ body: (Scratch, SSHHost) async throws -> Void) async throws {
    try await Scratch.with { scratch in
      let host = try await SSHHost(scratch)
      scratch.set("HOST", host.patientAddress)
      scratch.set("SSH_AUTH_SOCK", scratch.path("agent"))
      let agent = try scratch.running(
        ["ssh-agent", "-D", "-a", scratch.path("agent")], "ssh-agent")
      try await scratch.until("the agent listens") {
        FileManager.default.fileExists(atPath: scratch.path("agent"))
      }
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        try await scratch.shell("tmux-attach trust $HOST; mkdir -m 700 \"$HOME/.ssh\"")
        try await body(scratch, host)
      }
      agent.child.signal(SIGKILL)
    }
  }

  /// Makes keys of these names in the user's `.ssh`; the host takes the last one.
  private static func make(
    _ names: [String], type: String = "ed25519", passphrase: String = "", _ scratch: Scratch
  ) async throws {
    for name in names {
      let file = scratch.path("user/.ssh/\(name)")
      try await scratch.shell(
        "ssh-keygen -q -t \(type) -N '\(passphrase)' -C \(name) -f '\(file)'")
      try scratch.write("user_key.pub", scratch.read("user/.ssh/\(name).pub"))
    }
  }

  private static let names = "tmux-attach list $HOST | jq -r .name"

  @Test(arguments: [("ecdsa", "id_ecdsa"), ("rsa", "id_rsa")])
  func `the usual files of other types are tried`(_ type: String, _ name: String) async throws {
    try await Self.withHost { scratch, _ in
      try await Self.make(["id_ed25519"], scratch)
      try await Self.make([name], type: type, scratch)
      #expect(try await scratch.shell(Self.names).output == "agent-7\n")
    }
  }

  @Test func `the fifth key of an agent lets in, and no more are offered`() async throws {
    try await Self.withHost { scratch, host in
      try await Self.make((1...8).map { "key\($0)" }, scratch)
      try await scratch.shell("cd \"$HOME/.ssh\"; ssh-add -q key1 key2 key3 key4 key8")
      let listed = try await scratch.shell(Self.names)
      #expect(listed.output == "agent-7\n")
      #expect(listed.errors == "")
      try await scratch.shell(
        "cd \"$HOME/.ssh\"; ssh-add -q -d key8; ssh-add -q key5 key6 key7 key8")
      let refused = try await scratch.shell("tmux-attach list $HOST")
      let error = try #require(refused.records("error").first)
      #expect(error["code"] == "SSHAuthFailed")
      #expect(error["explanation"].contains("'key1', 'key2', 'key3', 'key4', 'key5';"))
      #expect(!error["explanation"].contains("key6"))
      // A file that is named is offered alone, and the agent has its private half.
      let named = try await scratch.shell("tmux-attach list -i $HOME/.ssh/key8.pub $HOST")
      #expect(named.records("terminalSession").count == 1)
    }
  }

  @Test func `the configuration limits an agent, and names another`() async throws {
    try await Self.withHost { scratch, _ in
      try await Self.make(["work"], scratch)
      try await scratch.shell(
        "ssh-add -q \"$HOME/.ssh/work\"; mv \"$HOME/.ssh/work\" \"$HOME/kept\"")
      for (lines, outcome) in [
        ("IdentitiesOnly yes", "there is no key"), ("IdentityAgent none", "there is no key"),
        ("IdentitiesOnly yes\nIdentityFile ~/.ssh/work.pub", ""), ("IdentityAgent $OTHER", ""),
      ] {
        try scratch.write("user/.ssh/config", lines + "\n")
        let socket = lines.contains("$") ? "/gone" : "$SSH_AUTH_SOCK"
        let run = try await scratch.shell(
          "OTHER=$SSH_AUTH_SOCK SSH_AUTH_SOCK=\(socket) tmux-attach list $HOST")
        let told = run.records("error").first?["explanation"] ?? ""
        #expect(told.hasPrefix(outcome), "\(lines): \(run.errors)")
        #expect(run.records("terminalSession").count == (outcome.isEmpty ? 1 : 0), "\(lines)")
      }
    }
  }

  @Test func `an encrypted key asks only for what the host takes, and the agent spares it`()
    async throws
  {
    try await Self.withHost { scratch, _ in
      // The host takes the second.
      try await Self.make(["id_ed25519"], passphrase: "other", scratch)
      try await Self.make(["id_rsa"], type: "rsa", passphrase: "secret", scratch)
      let locked = try await scratch.shell("tmux-attach list $HOST")
      let error = try #require(locked.records("error").first)
      #expect(error["code"] == "KeyUnreadable")
      #expect(error["explanation"].contains("/.ssh/id_rsa': it is encrypted"))
      #expect(locked.statuses == [77])
      try scratch.write("word", "secret\n")
      let given = try await scratch.shell(
        "tmux-attach list --passphrase-file '\(scratch.path("word"))' $HOST")
      #expect(given.records("terminalSession").count == 1)
      try scratch.write("askpass", "#!/bin/sh\necho secret\n", executable: true)
      try await scratch.shell(
        "SSH_ASKPASS='\(scratch.path("askpass"))' SSH_ASKPASS_REQUIRE=force "
          + "ssh-add -q \"$HOME/.ssh/id_rsa\"")
      #expect(try await scratch.shell(Self.names).output == "agent-7\n")
    }
  }

  @Test func `a passphrase is asked for once on the way and after a loss`() async throws {
    try await Self.withHost { scratch, host in
      let jump = try await SSHHost(scratch, "jump")
      scratch.set("TMUX_TMPDIR", scratch.path("host/tmux"))
      try await scratch.shell("tmux-attach trust \(jump.address)")
      try await Self.make(["id_rsa"], type: "rsa", passphrase: "secret", scratch)
      try await ScreenTerminal.with(scratch, columns: 220, lines: 60) { terminal in
        try terminal.type("unset TMUX; clear; tmux-attach -J \(jump.address) $HOST agent-7")
        try await scratch.until("it asks") {
          try terminal.shown().contains { $0.contains("Passphrase of") }
        }
        try terminal.type("secret")
        func clients() throws -> String {
          try scratch.tmux(["list-clients", "-F", "#{client_pid}"])
        }
        try await scratch.until("it is attached") { try !clients().isEmpty }
        let first = try clients()
        for process in host.connections { kill(process, SIGKILL) }
        try await scratch.until("it is attached again") {
          let now = try clients()
          return !now.isEmpty && now != first
        }
        try terminal.press("C-]")
        try await scratch.until("it is left") {
          try terminal.shown().contains { $0.contains("Passphrase of") }
        }
        let shown = try terminal.shown()
        #expect(shown.count { $0.contains("Passphrase of") } == 1)
        #expect(!shown.contains { $0.contains("secret") })
      }
    }
  }
}
