import Foundation
import Testing

/// `config.toml` as tools meet it: malformed, or another's.
@Suite("config.toml")
struct ConfigurationTests {
  private static let file = "home/config/config.toml"

  /// What `key-store get` comes to, which asks the file for `key_command`.
  private func get(_ scratch: Scratch) async throws -> (run: ToolRun, error: Record?) {
    let run = try await scratch.shell("key-store get openai")
    return (run, run.records("error").first)
  }

  @Test(arguments: [
    // What ended the tools with SIGABRT.
    ("[\n", 1), ("e = 1979-05-27T:32:00Z\n", 1), ("a = 1\nc = [1,}\r", 2), ("[[[1]]]\n", 1),
    ("\n\nmodel = \n", 3), ("model = \"m\"\n[limits]\ncontrols_per_minute = \"30\"\n", 3),
    ("model = \u{1}\n", 1), (String(repeating: "[", count: 50_000), 1),
  ])
  func `a malformed file ends a tool with 78 and names the line`(
    text: String, line: Int
  ) async throws {
    try await Scratch.with { scratch in
      try scratch.write(Self.file, text)
      for command in ["key-store list", "ceo-plan --model extractive Compare"] {
        let run = try await scratch.shell(command)
        #expect(run.statuses == [78])
        #expect(run.records("error").map { $0["code"] } == ["BadConfiguration"])
        #expect(run.records("error").map { $0["input"] } == [scratch.path(Self.file) + ":\(line)"])
      }
      try scratch.write("work/team.toml", text)
      let run = try await scratch.shell("ceo-plan --model extractive --team team.toml Compare")
      #expect(run.statuses == [78])
    }
  }

  @Test(arguments: ["agent-stat", "gate-decide list"])
  func `a malformed file costs the watchers their web links alone`(command: String) async throws {
    try await Scratch.with { scratch in
      try scratch.write(Self.file, "[serve\n")
      let run = try await scratch.shell(command)
      #expect(run.statuses == [0])
      #expect(run.records("error").isEmpty)
      #expect(run.errors.contains("no web links: "))
    }
  }

  @Test func `a file or a folder that others may write to is not obeyed`() async throws {
    try await Scratch.with { scratch in
      let command =
        "key_command = [\"sh\", \"-c\", \"echo obeyed; touch '\(scratch.path("ran"))'\"]\n"
      let file = try scratch.write(Self.file, command)
      let folder = scratch.path("home/config")
      for (path, mode, isObeyed) in [
        (file, 0o600, true), (file, 0o644, true), (file, 0o666, false), (file, 0o646, false),
        (file, 0o444, true), (folder, 0o777, false), (folder, 0o757, false), (folder, 0o1777, true),
        (folder, 0o755, true),
      ] as [(String, mode_t, Bool)] {
        #expect(chmod(path, mode) == 0)
        let (run, error) = try await get(scratch)
        #expect(run.statuses == [isObeyed ? 0 : 77], "\(path) \(String(mode, radix: 8))")
        #expect(error.map { $0["code"] } == (isObeyed ? nil : "PermissionDenied"))
        #expect(error.map { $0["kind"] } == (isObeyed ? nil : "unsafeMode"))
        #expect(FileManager.default.fileExists(atPath: scratch.path("ran")) == isObeyed)
        unlink(scratch.path("ran"))
        if path == file { #expect(chmod(file, 0o600) == 0) }
      }
    }
  }

  @Test func `a group that has other members counts as others, and another owner too`() async throws
  {
    // The superuser alone gives files away, and has no group that is only theirs.
    guard geteuid() == 0 else { return }
    try await Scratch.with { scratch in
      let file = try scratch.write(Self.file, "key_command = [\"echo\", \"obeyed\"]\n")
      let folder = scratch.path("home/config")
      for path in [file, folder] {
        let mode: mode_t = path == file ? 0o600 : 0o700
        #expect(chmod(path, mode | 0o020) == 0)
        #expect(try await get(scratch).run.statuses == [77])
        #expect(chmod(path, mode) == 0 && chown(path, 65_534, 65_534) == 0)
        #expect(try await get(scratch).run.statuses == [77])
        #expect(chown(path, 0, 0) == 0)
        #expect(try await get(scratch).run.statuses == [0])
      }
    }
  }

  @Test func `a link is followed to a file that is as safe`() async throws {
    try await Scratch.with { scratch in
      let command = "key_command = [\"echo\", \"obeyed\"]\n"
      try scratch.write("user/dotfiles/agentpipes.toml", command)
      try await scratch.shell("mkdir -p ../home/config && chmod 700 ../home/config")
      try await scratch.shell(
        "ln -s ../../user/dotfiles/agentpipes.toml ../home/config/config.toml")
      #expect(try await get(scratch).run.records("key").map { $0["source"] } == ["command"])
      #expect(chmod(scratch.path("user/dotfiles"), 0o777) == 0)
      #expect(try await get(scratch).run.statuses == [77])
      #expect(chmod(scratch.path("user/dotfiles"), 0o700) == 0)
      #expect(chmod(scratch.path("user/dotfiles/agentpipes.toml"), 0o606) == 0)
      #expect(try await get(scratch).run.statuses == [77])
      try await scratch.shell("ln -sfn config.toml ../home/config/config.toml")
      #expect(try await get(scratch).run.statuses == [78])
    }
  }

  @Test func `what is no file is told at once, and a team may come through a pipe`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell("mkdir -p ../home/config && mkfifo ../home/config/config.toml")
      #expect(try await get(scratch).error?["code"] == "BadConfiguration")
      try await scratch.shell("rm ../home/config/config.toml && mkdir ../home/config/config.toml")
      #expect(try await get(scratch).error?["code"] == "BadConfiguration")
      try await scratch.shell("rmdir ../home/config/config.toml")
      let run = try await scratch.shell(
        "ceo-plan --team <(printf '[roles.ceo]\\nmodel = \"extractive\"\\n') 'Compare them'")
      #expect(run.statuses == [0])
      #expect(run.records("pipeline").map { $0["model"] } == ["extractive"])
    }
  }

  @Test func `a setting that is not known is reported once, with the nearest one`() async throws {
    try await Scratch.with { scratch in
      let file = try scratch.write(
        Self.file,
        """
        modle = "extractive"
        [models.mine]
        endpoint = "http://127.0.0.1:9/v1"
        context_tokens = 4096
        provider = "opnai"
        kind = "chta"
        [roles.prodcer]
        model = "mine"
        [roles.ceo]
        [role.producer]
        model = "mine"

        """)
      let run = try await scratch.shell("model-list add other --endpoint http://127.0.0.1:9/v1")
      let said = run.errors.split(separator: "\n").map(String.init)
      #expect(
        said
          == [
            ":7: unknown role of a plan 'prodcer': did you mean 'producer'?",
            ":5: unknown provider 'opnai': did you mean 'openai'?",
            ":6: unknown kind of a model 'chta': did you mean 'chat'?",
            ":1: unknown setting 'modle': did you mean 'model'?",
            ":10: unknown setting 'role': did you mean 'roles'?",
            ":4: unknown setting 'models.mine.context_tokens': did you mean "
              + "'models.mine.contextTokens'?",
          ].map { "model-list: \(file)\($0)" })
      try scratch.write("work/team.toml", "[roles.ceo]\ntempreature = 1\n")
      let plan = try await scratch.shell("ceo-plan --team team.toml --model extractive Compare")
      #expect(plan.errors.contains("'roles.ceo.tempreature'"))
    }
  }
}
