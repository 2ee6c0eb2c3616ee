import Foundation
import Testing

/// Failures that name the step which helps.
@Suite("next steps")
struct NextStepTests {
  @Test(arguments: [
    ("agent-stat agnets", "'agents'", "agent-stat"),
    ("agent-stat agnets --status error", "'agents'", "agent-stat"),
    ("tmux-attach snpashot host session", "'snapshot'", "tmux-attach"),
    ("agent-stat --watch swrms", "'swarms'", "agent-stat"),
    ("agent-control stop agent x", "'pause' or 'terminate'", "agent-control"),
    ("agent-control kill agent x --reason y", "'terminate'", "agent-control"),
    ("key-store remove anthropic", "'delete'", "key-store"),
    ("chat-log lsit", "'list'", "chat-log"), ("model-list alais", "'alias'", "model-list"),
    ("pair strat", "'start'", "pair"), ("hub-serve devcies", "'devices'", "hub-serve"),
    ("gate-decide accept g", "'approve'", "gate-decide"),
    ("tmux-attach key genrate", "'generate'", "tmux-attach key"),
  ])
  func `a mistyped command is told with those that may be meant`(
    _ line: String, _ meant: String, _ group: String
  ) async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(line)
      #expect(run.statuses == [64])
      let tool = line.prefix { $0 != " " }
      let word = try #require(
        line.dropFirst(group.count).split(separator: " ").first { !$0.hasPrefix("-") })
      #expect(
        run.errors
          == "\(tool): unknown command '\(word)'. Did you mean \(meant)?\n"
          + "\(tool): see '\(group) --help'\n")
    }
  }

  @Test func `a mistyped command after help is told, too`() async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell("chat-log help lsit")
      #expect(run.statuses == [64])
      #expect(
        run.errors == """
          chat-log: unknown command 'lsit'. Did you mean 'list'?
          chat-log: see 'chat-log --help'

          """)
      let other = try await scratch.shell("chat-log help nonsense")
      #expect(other.statuses == [0])
    }
  }

  @Test(arguments: ["push-notify", "tmux-attach"])
  func `the help that a tool without arguments names can be typed`(_ tool: String) async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(tool)
      #expect(run.statuses == [64])
      #expect(run.errors.hasSuffix("\n\(tool): see '\(tool) --help'\n"))
    }
  }

  @Test func `an operand and the value of an option are no mistyped commands`() async throws {
    try await Scratch.with { scratch in
      let operand = try await scratch.shell("agent-stat agent agnets")
      #expect(
        operand.errors == "agent-stat: there is no agent 'agnets'; check the name or address\n")
      let host = try await scratch.shell("tmux-attach ky")
      #expect(!host.errors.contains("Did you mean"))
      let value = try await scratch.shell("hub-serve --listen devcies")
      #expect(value.errors.hasPrefix("hub-serve: --listen needs an address and a port"))
    }
  }

  @Test(arguments: [
    "stream-tail --since yesterday", "stream-tail --until yesterday",
    "agent-stat usage --since yesterday",
  ])
  func `an instant that is none is told with the forms of one`(_ line: String) async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(line)
      #expect(run.statuses == [64])
      #expect(
        run.errors.contains(
          " <time>': expected a time such as 2026-02-25T10:00:00Z, or an age such as 90s, "
            + "10m, 2h, 3d\n"))
    }
  }

  @Test func `a port that is taken is told, and a code names the port of the hub`() async throws {
    try await Scratch.withHub { scratch, _ in
      let port = scratch.hubPort
      let run = try await scratch.shell(
        "AGENTPIPES_HOME=other hub-serve --listen 127.0.0.1:\(port)")
      #expect(run.statuses == [69])
      #expect(
        run.errors
          == "hub-serve: cannot listen on '127.0.0.1:\(port)': port "
          + "\(port) is in use; choose another port with --listen\n")
      #expect(run.records.first?["action"] == "choose another port with --listen")
      let made = try Terminal(scratch, "hub-serve register-code")
      await made.running.ended()
      #expect(made.text.contains("pair register http://127.0.0.1:\(port) --code "))
      let away = try await scratch.shell("AGENTPIPES_HOME=other hub-serve --listen 192.0.2.1:7878")
      #expect(
        away.errors
          == "hub-serve: cannot listen on '192.0.2.1:7878': Cannot assign requested address; "
          + "choose another address with --listen\n")
    }
  }

  @Test(arguments: [
    // Words of the input are no advice.
    (
      "stream-tail 'no: open file'",
      "stream-tail: cannot open 'no: open file': No such file or directory; "
        + "check the name or address\n", "check the name or address"
    ),
    (
      "key-store get nothing",
      "key-store: there is no key 'nothing'; run 'key-store set nothing' or set NOTHING_API_KEY\n",
      "run 'key-store set nothing' or set NOTHING_API_KEY"
    ),
  ])
  func `a failure has one next step, in the record as on stderr`(
    _ line: String, _ errors: String, _ action: String
  ) async throws {
    try await Scratch.with { scratch in
      let run = try await scratch.shell(line)
      #expect(run.errors == errors)
      #expect(run.records("error").map { $0["action"] } == [action])
    }
  }

  @Test func `who did not confirm is told how to`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("agent-run --agent a true")
      let shown = try Terminal(scratch, "agent-control terminate agent a --reason r")
      try await scratch.until("it asks") { shown.text.contains("Type TERMINATE") }
      shown.type("no")
      await shown.running.ended()
      #expect(shown.text.contains("not confirmed; run it again and type TERMINATE\r\n"))
    }
  }
}
