import Command
import Core
import Foundation
import Testing

/// What `config.toml` sets, and which of its faults name which line.
@Suite struct ConfigurationFileTests {
  private func configuration(_ text: String) throws -> Settings {
    try ConfigurationFile.configuration(Array(text.utf8), "c.toml")
  }

  @Test func `every setting of the page is read`() throws {
    let text = """
      model = "m"
      key_command = ["pass", "show", "agents/{name}"]
      confirm_command = ["fprintd-verify"]
      [roles.qaReviewer]
      model = "local/reviewer"
      temperature = 1
      system = "Review."
      [models.reviewer]
      provider = "local"
      endpoint = "http://localhost:11434/v1"
      kind = "chat"
      contextTokens = 8_000
      inputPricePerMillion = 0
      outputPricePerMillion = 0.5
      cacheReadPricePerMillion = 1e-1
      cacheWritePricePerMillion = 2
      [limits]
      controls_per_minute = 31
      terminations_per_minute = 11
      [terminal]
      input = "never"
      confirm = "always"
      [agents.linter]
      host = "build@box"
      session = "agent-7"
      [composio]
      user_id = "ana"
      toolkits = ["gmail", "slack"]
      [hook]
      allow = ["Bash(git status)", "Read(*)"]
      deny = ["Bash(rm *)"]
      ask = ["Read(/etc/*)"]
      [hub.ci]
      url = "http://build:7878"
      [serve]
      listen = "127.0.0.1:0"
      public_url = "https://hub.example.org"
      incident_url = "i"
      gate_url = "g"
      trace_url = "t"
      session_url = "s"
      terminal_host = "box"
      keep_events = 1_000
      keep_bytes = 2
      keep_days = 3
      otlp_listen = "127.0.0.1:1"
      otlp_content = true
      """
    let read = try configuration(text)
    #expect(read.model == "m")
    #expect(read.keyCommand == ["pass", "show", "agents/{name}"])
    #expect(read.confirmCommand == ["fprintd-verify"])
    #expect(read.hook.allow == ["Bash(git status)", "Read(*)"])
    #expect(read.hook.deny == ["Bash(rm *)"] && read.hook.ask == ["Read(/etc/*)"])
    #expect(read.composio.userId == "ana")
    #expect(read.composio.toolkits == ["gmail", "slack"])
    let role = Settings.RoleSettings(
      model: "local/reviewer", temperature: 1, system: "Review.")
    #expect(read.roles == [Role(rawValue: "qaReviewer"): role])
    let model = try #require(read.models["reviewer"])
    #expect(model.provider == "local")
    #expect(model.kind == "chat")
    #expect(model.endpoint == "http://localhost:11434/v1")
    #expect(model.contextTokens == 8000)
    #expect(model.inputPricePerMillion == 0)
    #expect(model.outputPricePerMillion == 0.5)
    #expect(model.cacheReadPricePerMillion == 0.1)
    #expect(model.cacheWritePricePerMillion == 2)
    #expect(read.limits.perMinute == 31)
    #expect(read.limits.terminationsPerMinute == 11)
    #expect(!read.terminal.allowsInput && read.terminal.confirmsLooking)
    #expect(
      read.agentTerminals == ["linter": .init(host: "build@box", session: "agent-7")])
    #expect(read.hubs == ["ci": "http://build:7878"])
    #expect(
      read.serve == [
        "listen": "127.0.0.1:0", "public_url": "https://hub.example.org", "incident_url": "i",
        "gate_url": "g", "trace_url": "t", "session_url": "s", "terminal_host": "box",
        "keep_events": "1000", "keep_bytes": "2", "keep_days": "3",
        "otlp_listen": "127.0.0.1:1", "otlp_content": "true",
      ])
    #expect(try configuration("") == Settings())
    #expect(try configuration("unknown = 1\n[other]\na.b = 2\n") == Settings())
  }

  @Test(arguments: [
    ("[\n", "c.toml:1", "expected a name, found the end of the line, at column 2"),
    ("\n\nmodel = 1", "c.toml:3", "'model' must be a string"),
    ("key_command = 'a'", "c.toml:1", "'key_command' must be a list of strings"),
    ("key_command = ['a',\n1]", "c.toml:2", "'key_command' must be a list of strings"),
    ("key_command = []", "c.toml:1", "'key_command' is empty"),
    ("[roles]\nceo = 1", "c.toml:2", "'roles.ceo' must be a table"),
    ("roles.ceo.temperature = nan", "c.toml:1", "'roles.ceo.temperature' must be a finite number"),
    (
      "[models.m]\n\ninputPricePerMillion = -1", "c.toml:3",
      "'models.m.inputPricePerMillion' is negative"
    ),
    (
      "[models.m]\noutputPricePerMillion = inf", "c.toml:2",
      "'models.m.outputPricePerMillion' must be a finite number"
    ),
    ("[limits]\ncontrols_per_minute = -1", "c.toml:2", "'limits.controls_per_minute' is negative"),
    (
      "limits.controls_per_minute = 1.5", "c.toml:1",
      "'limits.controls_per_minute' must be a whole number"
    ),
    ("[terminal]\ninput = 'no'", "c.toml:2", "'terminal.input' is neither 'allow' nor 'never'"),
    ("model = 'm'\n[agents.a]\nhost = 'h'", "c.toml:2", "'agents.a.session' is missing"),
    ("[[agents.a]]\nhost = 'h'", "c.toml:1", "'agents.a' must be a table"),
    ("[serve]\nlisten = 7878", "c.toml:2", "'serve.listen' must be a string"),
    ("serve.keep_days = -1", "c.toml:1", "'serve.keep_days' is negative"),
    ("[hub.ci]\nurl = ['a']", "c.toml:2", "'hub.ci.url' must be a string"),
    ("[hub.ci]", "c.toml:1", "'hub.ci.url' is missing"),
    ("hub = 'http://build:7878'", "c.toml:1", "'hub' must be a table"),
    ("model = 2026-02-25", "c.toml:1", "'model' must be a string"),
    (
      "[models.\"é\"]\n[models.\"e\u{301}\"]", "c.toml:2",
      "'models.e\u{301}' looks like an earlier name"
    ),
  ])
  func `a fault names the setting and its line`(
    _ text: String, _ place: String, _ reason: String
  ) {
    let failure = #expect(throws: Failure.self) { try configuration(text) }
    #expect(failure?.code == .badConfiguration)
    #expect(failure?.input == place)
    #expect(failure?.explanation == reason)
  }
}
