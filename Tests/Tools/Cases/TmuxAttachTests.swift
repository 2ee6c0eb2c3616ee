import Foundation
import TestSupport
import Testing

/// tmux-attach against OpenSSH's own server and a real tmux.
@Suite("tmux-attach")
struct TmuxAttachTests {
  /// Runs a test with a host that has one session, `agent-7`.
  private static func withHost(
    settings: [String] = [], _ body: (Scratch, SSHHost) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      let host = try await SSHHost(scratch, settings: settings)
      scratch.set("HOST", host.patientAddress)
      scratch.set("KEY", scratch.path("user_key"))
      try await scratch.withTmux {
        try await scratch.makeSession("agent-7")
        try await body(scratch, host)
      }
    }
  }

  @Test func `a host that is new is trusted once and its sessions are listed`() async throws {
    try await Self.withHost { scratch, host in
      let key = try await host.fingerprint()
      let first = try await scratch.shell("tmux-attach list -i $KEY $HOST")
      #expect(
        first.errors
          == "tmux-attach: recorded the key of '\(host.recordedName)': \(key) (ssh-ed25519)\n")
      let session = try #require(first.records("terminalSession").first)
      #expect(first.records.count == 1)
      #expect(session["name"] == "agent-7")
      #expect(session.number("width") == 200)
      #expect(session.number("height") == 50)
      #expect(session.number("port") == Double(host.port))
      #expect(session["authMode"] == "publickey")
      let again = try await scratch.shell("tmux-attach list -i $KEY $HOST | jq -r .name")
      #expect(again.output == "agent-7\n")
      #expect(again.errors == "")
      let found = try await scratch.shell(
        "ssh-keygen -F '\(host.recordedName)' -f \"$AGENTPIPES_HOME/data/known_hosts\" | grep -c ssh-ed25519"
      )
      #expect(found.output == "1\n")
    }
  }

  @Test func `a key that has changed is refused until its trust is reset`() async throws {
    try await Self.withHost { scratch, host in
      try await scratch.shell("tmux-attach list -i $KEY $HOST")
      let old = try await host.fingerprint()
      host.server.signal(SIGTERM)
      _ = await host.server.ended()
      let other = try await SSHHost(scratch, hostKey: "other_key", port: host.port)
      let new = try await host.fingerprint("other_key")
      let refused = try await scratch.shell("tmux-attach list -i $KEY $HOST")
      let error = try #require(refused.records("error").first)
      #expect(refused.statuses == [77])
      #expect(error["code"] == "SSHHostKeyMismatch")
      #expect(error["kind"] == "changed")
      #expect(error["explanation"].contains(old))
      #expect(error["explanation"].contains(new))
      #expect(error["input"] == scratch.path("home/data/known_hosts:1"))
      // No key was offered to it.
      #expect(!scratch.read("host/sshd.other_key.0").contains("publickey"))
      let unconfirmed = try await scratch.shell("tmux-attach trust --reset $HOST")
      #expect(unconfirmed.records("error").first?["kind"] == "notConfirmed")
      let wrong = try await scratch.shell("tmux-attach trust --reset $HOST --confirm \(old)")
      #expect(wrong.statuses == [77])
      let reset = try await scratch.shell("tmux-attach trust --reset $HOST --confirm \(new)")
      #expect(reset.records("hostKey").first?.status == "replaced")
      #expect(reset.records("hostKey").first?["fingerprint"] == new)
      let listed = try await scratch.shell("tmux-attach list -i $KEY $HOST")
      #expect(listed.records("terminalSession").count == 1)
      other.server.signal(SIGTERM)
    }
  }

  @Test func `strict and pinned trust add nothing that was not named`() async throws {
    try await Self.withHost { scratch, host in
      let strict = try await scratch.shell("tmux-attach list -i $KEY $HOST --trust strict")
      #expect(strict.records("error").first?["kind"] == "unknown")
      let pinned = try await scratch.shell("tmux-attach list -i $KEY $HOST --host-key SHA256:x")
      #expect(pinned.records("error").first?["kind"] == "pinned")
      #expect(scratch.read("home/data/known_hosts") == "")
      let key = try await host.fingerprint()
      let named = try await scratch.shell(
        "tmux-attach list -i $KEY $HOST --trust strict --host-key \(key)")
      #expect(named.records("terminalSession").count == 1)
      #expect(named.statuses == [0])
    }
  }

  @Test func `a store that cannot be written refuses`() async throws {
    try await Self.withHost { scratch, _ in
      try await scratch.shell("mkdir -p $AGENTPIPES_HOME/data/known_hosts")
      let run = try await scratch.shell("tmux-attach list -i $KEY $HOST")
      #expect(run.records("terminalSession").isEmpty)
      #expect(run.statuses != [0])
    }
  }

  @Test func `who is not let in is told why`() async throws {
    try await Self.withHost(settings: [
      "AuthenticationMethods publickey,password", "PasswordAuthentication yes",
    ]) { scratch, _ in
      try await scratch.shell("tmux-attach trust $HOST")
      let partial = try await scratch.shell("tmux-attach list -i $KEY $HOST")
      #expect(partial.records("error").first?["code"] == "SSHSecondFactor")
      #expect(partial.records("error").first?["explanation"].contains("password") == true)
      #expect(partial.statuses == [77])
      try await scratch.shell("ssh-keygen -q -t ed25519 -N '' -f \"$HOME/wrong\"")
      let wrong = try await scratch.shell("tmux-attach list -i $HOME/wrong $HOST")
      #expect(wrong.records("error").first?["code"] == "SSHAuthFailed")
      let none = try await scratch.shell("tmux-attach list $HOST")
      #expect(none.records("error").first?["action"].contains("key generate") == true)
    }
  }

  @Test func `keys that cannot be used are told in one line each`() async throws {
    try await Scratch.with { scratch in
      let made = try await scratch.shell(
        """
        cd "$HOME"; ssh-keygen -q -t ed25519 -N '' -f open; chmod 644 open
        ssh-keygen -q -t ed25519 -N secret -f locked; mkfifo fifo; chmod 600 fifo
        ssh-keygen -q -t ed25519 -N '' -f good; cp good.pub public; chmod 600 public
        openssl genpkey -algorithm ed25519 -out pkcs8 2>/dev/null; chmod 600 pkcs8
        head -c 200000 /dev/zero >large; chmod 600 large; echo wrong >word; chmod 600 word
        sed 's/$/\\r/' good >crlf; chmod 600 crlf
        """)
      #expect(made.statuses == [0])
      for (file, reason) in [
        ("open", "chmod 600"), ("locked", "it is encrypted"), ("fifo", "not a regular file"),
        ("public", "is a public key"), ("pkcs8", "PKCS #8"), ("large", "too long"),
        ("missing", "no such file"),
      ] {
        let run = try await scratch.shell("tmux-attach key import k $HOME/\(file)")
        #expect(run.records("error").first?["code"] == "KeyUnreadable", "\(file)")
        #expect(run.errors.contains(reason), "\(file): \(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.statuses == [77])
      }
      let wrong = try await scratch.shell(
        "tmux-attach key import k $HOME/locked --passphrase-file $HOME/word")
      #expect(wrong.errors.contains("the passphrase is wrong"))
      let windows = try await scratch.shell("tmux-attach key import crlf $HOME/crlf")
      #expect(windows.records("key").first?["name"] == "crlf")
      let shown = try await scratch.shell("tmux-attach key show crlf | cut -d ' ' -f 1,2")
      let expected = try await scratch.shell("cut -d ' ' -f 1,2 $HOME/good.pub")
      #expect(shown.output == expected.output)
    }
  }

  @Test func `a stored key lets one in, and its seed shows nowhere`() async throws {
    try await Self.withHost { scratch, host in
      let made = try await scratch.shell("tmux-attach key generate laptop")
      let record = try #require(made.records("key").first)
      #expect(record["masked"] == "ed25…seed")
      try scratch.write("user_key.pub", record["publicKey"] + "\n")
      let listed = try await scratch.shell("tmux-attach list $HOST | jq -r .name")
      #expect(listed.output == "agent-7\n")
      let taken = try await scratch.shell("tmux-attach key generate laptop")
      #expect(taken.records("error").first?["code"] == "Conflict")
      try await scratch.shell("tmux-attach key remove laptop")
      #expect(try await scratch.shell("tmux-attach key list").output == "")
    }
  }

  @Test func `sessions are made and ended by their exact names`() async throws {
    try await Self.withHost { scratch, host in
      let name = "x;$(id) '=a' \"$0\" 🙂"
      scratch.set("NAME", name)
      let made = try await scratch.shell(
        "tmux-attach create -i $KEY $HOST \"$NAME\" --size 100x30 --directory /tmp -- sleep 600")
      let session = try #require(made.records("terminalSession").first)
      #expect(session["name"] == name)
      #expect(session.number("width") == 100)
      let twice = try await scratch.shell("tmux-attach create -i $KEY $HOST \"$NAME\"")
      #expect(twice.records("error").first?["code"] == "Conflict")
      // The beginning of a name is not the name.
      let prefix = try await scratch.shell("tmux-attach kill -i $KEY $HOST agent")
      #expect(prefix.records("error").first?["code"] == "TmuxSessionNotFound")
      #expect(prefix.statuses == [69])
      let killed = try await scratch.shell("tmux-attach kill -i $KEY $HOST \"$NAME\"")
      #expect(killed.statuses == [0])
      #expect(try scratch.tmux(["list-sessions", "-F", "#{session_name}"]) == "agent-7\n")
    }
  }

  @Test func `what is printed is followed to the byte, and its end is told`() async throws {
    try await Self.withHost { scratch, host in
      try await scratch.shell("tmux-attach trust $HOST")
      let watch = try scratch.running("tmux-attach watch -i $KEY $HOST agent-7")
      try await scratch.until("it watches") { watch.output.contains("sessionChanged") }
      let text = "%%exit %%output %%end 1 1 1 é\\303\\251 \\377 \\033]52;c;AAAA\\007 done"
      try scratch.type("printf '\(text)\\n'", into: "agent-7")
      try await scratch.until("it is told") {
        Record.all(in: watch.output).contains { $0["data_b64"] != "" }
      }
      try scratch.tmux(["kill-session", "-t", "agent-7"])
      let run = await watch.ended()
      #expect(run.statuses == [0])
      var bytes: [UInt8] = []
      for record in run.records("terminalOutput") {
        bytes += Array(record["data"].utf8)
        bytes += Array(Data(base64Encoded: record["data_b64"]) ?? Data())
      }
      let printed =
        Array("%exit %output %end 1 1 1 éé ".utf8) + [0xFF]
        + Array(" \u{1B}]52;c;AAAA\u{7} done\r\n".utf8)
      #expect(bytes.firstRange(of: printed) != nil)
      let last = try #require(run.records.last)
      #expect(last["event"] == "exit")
      #expect(last["reason"] == "the session has ended")
    }
  }

  @Test func `a snapshot is the screen as it is now`() async throws {
    try await Self.withHost { scratch, host in
      try scratch.type("clear; printf '\\033[31mred\\033[0m 漢字'", into: "agent-7")
      try await scratch.until("it is printed") { try scratch.screen("agent-7").hasPrefix("red") }
      let run = try await scratch.shell("tmux-attach snapshot -i $KEY $HOST agent-7")
      let record = try #require(run.records("terminalSnapshot").first)
      #expect(record["text"] == (try scratch.screen("agent-7")))
      try scratch.write(
        "home/config/config.toml",
        "[agents.linter]\nhost = \"\(host.address)\"\nsession = \"agent-7\"\n")
      let agent = try await scratch.shell("tmux-attach snapshot -i $KEY --agent linter")
      #expect(agent.records("terminalSnapshot").first?["text"] == record["text"])
      let nobody = try await scratch.shell("tmux-attach snapshot -i $KEY --agent nobody")
      #expect(nobody.records("error").first?["code"] == "NotFound")
      let colored = try await scratch.shell("tmux-attach snapshot -i $KEY --escapes $HOST agent-7")
      #expect(colored.records("terminalSnapshot").first?["text"].hasPrefix("\u{1B}[31mred") == true)
    }
  }

  @Test func `an agent's own terminal is found by what it told`() async throws {
    try await Self.withHost { scratch, host in
      try scratch.write(
        "user/.ssh/config",
        """
        Host localhost
          HostName 127.0.0.1
          Port \(host.port)
          User \(NSUserName())

        """)
      try scratch.type(
        "agent-run --agent builder -- sh -c 'echo at work; read -r x'", into: "agent-7")
      func stands(_ status: String) async throws {
        try await scratch.shell(
          "until agent-stat agent builder 2>&1 | grep -q '\"status\":\"\(status)\"'; do sleep 0.05; done"
        )
      }
      try await stands("running")
      let shown = try await scratch.shell(
        "tmux-attach snapshot -i $KEY --agent builder | jq -r .text | grep -c '^at work'")
      #expect(shown.output == "1\n")
      try scratch.type("", into: "agent-7")
      try await stands("finished")
      let ended = try await scratch.shell("tmux-attach snapshot -i $KEY --agent builder")
      #expect(ended.records("error").first?["code"] == "NotFound")
    }
  }

  @Test func `what touches a session is confirmed first, and looking where that is wanted`()
    async throws
  {
    try await Self.withHost { scratch, _ in
      let refusing = "confirm_command = [\"false\"]\n"
      try scratch.write("home/config/config.toml", refusing)
      for line in ["kill -i $KEY $HOST agent-7", "create -i $KEY $HOST other"] {
        let run = try await scratch.shell("tmux-attach \(line)")
        #expect(run.records("error").first?["kind"] == "notConfirmed", "\(line)")
        #expect(run.statuses == [77])
      }
      #expect(try scratch.tmux(["list-sessions", "-F", "#{session_name}"]) == "agent-7\n")
      let looked = try await scratch.shell("tmux-attach snapshot -i $KEY $HOST agent-7")
      #expect(looked.statuses == [0])
      try scratch.write(
        "home/config/config.toml", refusing + "[terminal]\nconfirm = \"always\"\n")
      for verb in ["snapshot", "watch"] {
        let run = try await scratch.shell("tmux-attach \(verb) -i $KEY $HOST agent-7")
        #expect(run.records("error").first?["kind"] == "notConfirmed", "\(verb)")
      }
      // That no input is allowed forbids neither to make a session nor to end one.
      try scratch.write(
        "home/config/config.toml", "confirm_command = [\"true\"]\n[terminal]\ninput = \"never\"\n")
      #expect(try await scratch.shell("tmux-attach create -i $KEY $HOST other").statuses == [0])
      #expect(try await scratch.shell("tmux-attach kill -i $KEY $HOST agent-7").statuses == [0])
    }
  }

  @Test func `a host without tmux, or without a session, is told`() async throws {
    try await Self.withHost { scratch, host in
      let none = try await scratch.shell("tmux-attach list -i $KEY $HOST --tmux-path /nowhere/tmux")
      #expect(none.records("error").first?["code"] == "TmuxNotFound")
      #expect(none.statuses == [69])
      let other = try await scratch.shell("tmux-attach watch -i $KEY $HOST agent")
      #expect(other.records("error").first?["code"] == "TmuxSessionNotFound")
      let shown = try await scratch.shell("tmux-attach snapshot -i $KEY $HOST agent")
      #expect(shown.records("error").first?["code"] == "TmuxSessionNotFound")
      try scratch.tmux(["kill-server"])
      let empty = try await scratch.shell("tmux-attach list -i $KEY $HOST")
      #expect(empty.output == "")
      #expect(empty.statuses == [0])
    }
  }

  @Test func `a host is reached through another, trusted at each step`() async throws {
    try await Self.withHost { scratch, host in
      let jump = try await SSHHost(scratch, "jump")
      scratch.set("TMUX_TMPDIR", scratch.path("host/tmux"))
      scratch.set("JUMP", jump.address)
      // To trust a host is not to trust those on the way.
      let strict = try await scratch.shell(
        "tmux-attach trust --trust strict -i $KEY -J $JUMP $HOST")
      #expect(strict.records("error").first?["kind"] == "unknown")
      #expect(strict.records("error").first?["input"] == jump.recordedName)
      #expect(scratch.read("home/data/known_hosts") == "")
      let run = try await scratch.shell("tmux-attach list -i $KEY -J $JUMP $HOST")
      #expect(run.records("terminalSession").first?["name"] == "agent-7")
      let known = scratch.read("home/data/known_hosts").split(separator: "\n")
      #expect(
        known.map { $0.prefix { $0 != " " } } == [
          Substring(jump.recordedName), Substring(host.recordedName),
        ])
      let configured = """
        Host box
          HostName 127.0.0.1
          Port \(host.port)
          User \(NSUserName())
          IdentityFile \(scratch.path("user_key"))
          ProxyJump \(jump.address)
        """
      try scratch.write("user/.ssh/config", configured + "\n")
      let alias = try await scratch.shell("tmux-attach list -i $KEY box | jq -r .host")
      #expect(alias.output == "box\n")
    }
  }

  @Test func `a host that is not there is told at once`() async throws {
    try await Scratch.with { scratch in
      let refused = try await scratch.shell("tmux-attach list tester@127.0.0.1:1")
      let error = try #require(refused.records("error").first)
      #expect(error["code"] == "SSHHostUnreachable")
      #expect(error["explanation"] == "cannot reach '127.0.0.1:1': connection refused")
      #expect(refused.statuses == [69])
      let unknown = try await scratch.shell("tmux-attach list tester@host.invalid")
      #expect(unknown.records("error").first?["kind"] == "name")
    }
  }

  @Test func `a server that speaks no SSH is told in time`() async throws {
    try await Scratch.with { scratch in
      for (script, code) in [
        ("import time; time.sleep(600)", "SSHHostUnreachable"),
        ("c.sendall(b'HTTP/1.1 400 Bad Request\\r\\n\\r\\n'); c.close()", "ProtocolMismatch"),
        ("c.sendall(b'SSH-1.5-old\\r\\n'); c.recv(100); c.close()", "ProtocolMismatch"),
        ("c.close()", "SSHHostUnreachable"),
        (
          "c.sendall(b'SSH-2.0-x\\r\\n' + b'\\x7f\\xff\\xff\\xff' + b'A' * 4096); c.recv(9999); c.close()",
          "ProtocolMismatch"
        ),
      ] {
        let program = """
          import socket
          s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
          print(s.getsockname()[1], flush=True)
          while True:
              c, _ = s.accept()
              \(script)
          """
        let server = try scratch.running(["python3", "-c", program], "a server")
        try await scratch.until("it listens") { server.output.hasSuffix("\n") }
        let port = server.output.trimmingCharacters(in: .whitespacesAndNewlines)
        // Only who says nothing is given up.
        let limit = script.contains("sleep") ? "1s" : "250s"
        let run = try await scratch.shell(
          "tmux-attach list --timeout \(limit) tester@127.0.0.1:\(port)")
        #expect(run.records("error").first?["code"] == code, "\(script)")
        server.child.signal(SIGKILL)
      }
    }
  }
}
