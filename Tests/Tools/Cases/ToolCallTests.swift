import Foundation
import TestSupport
import Testing

@Suite("tool-call")
struct ToolCallTests {
  @Test func `a server is added, listed, searched, shown and removed`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box", "--env COLOUR=blue")
      try await scratch.shell("cat ../home/config/tools.toml")
      try await scratch.shell("stat -c %a ../home/config/tools.toml")
      try await scratch.shell("tool-call list | jq -c '{name,source,listedAt}'")
      try await scratch.shell("tool-call list mcp:box | jq -c '{name,listedAt}'")
      try await scratch.shell("tool-call search returning arguments | jq -r .name")
      try await scratch.shell("tool-call show echo")
      try await scratch.shell("tool-call show echo --allow 'mcp:box/*' --text")
      try await scratch.shell("tool-call list --fresh --text")
      try await scratch.shell("tool-call list mcp:other")
      try await scratch.shell("tool-call remove box")
      try await scratch.shell("tool-call remove box")
      try await scratch.shell("tool-call list")
      try scratch.expectGolden("tool-call/servers")
      // One start for the first list, and one for --fresh.
      #expect(scratch.serverLog("box", "started").count == 2)
    }
  }

  @Test func `arguments are read by their types and checked before the call`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box")
      for arguments in [
        "text=5 count=7 deep=true 'list=[1,\"a\"]'", "text:='\"a\"' count:=7",
        #"'{"text":"whole"}'"#, "text=a count=seven", "count=7", "text=a text=b", "text=a other=b",
        "word", "=a", "text:=a", "'{\"text\":'", "text=a deep=maybe",
      ] {
        try await scratch.shell("tool-call mcp:box/echo \(arguments)")
      }
      try scratch.expectGolden("tool-call/arguments")
      #expect(scratch.serverLog("box", "called").count == 3)
    }
  }

  @Test func `names that are unknown or ambiguous are explained`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("one")
      try await scratch.addServer("two")
      for name in ["echo", "mcp:one/eco", "mcp:one/fial", "nothing", "mcp:three/echo"] {
        try await scratch.shell("tool-call \(name)")
      }
      try await scratch.shell("tool-call mcp:two/echo text=a | jq -c .structuredContent")
      try scratch.expectGolden("tool-call/names")
    }
  }

  @Test func `a tool may be called by the name of its server`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box")
      try await scratch.addServer("tavily")
      for arguments in [
        "box/echo text=a", "mcp:box/echo text=b", "box/eco", "other/echo", "tavily/echo text=c",
        "mcp:tavily/echo text=d",
      ] {
        try await scratch.shell(
          "tool-call \(arguments) | jq -c '.structuredContent // .explanation'")
      }
      try await scratch.shell("tool-call list box | jq -r .source | uniq")
      try await scratch.shell("tool-call show box/echo | jq -r .source")
      let call = { (source: String) in
        #"{"type":"toolCall","id":"1","name":"echo","source":"\#(source)","#
          + #""arguments":{"text":"e"}}"# + "\n"
      }
      for (pattern, source) in [
        ("box/*", "box"), ("b*/echo", "mcp:box"), ("b*", "mcp:box"), ("box", "mcp:box"),
        ("tavily/*", "mcp:tavily"),
      ] {
        try await scratch.shell(
          "tool-call --allow '\(pattern)' - | jq -c '[.consent, .error.code]'", input: call(source))
      }
      try scratch.expectGolden("tool-call/servers-by-name")
    }
  }

  @Test func `with --read-only, only tools that are marked so are used`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      let tools = [
        #"{"name":"echo_seen","inputSchema":{},"annotations":{"readOnlyHint":true}}"#,
        #"{"name":"echo_said","inputSchema":{},"annotations":{"readOnlyHint":"true"}}"#,
        #"{"name":"echo_not","inputSchema":{},"annotations":{"readOnlyHint":false}}"#,
        #"{"name":"echo_none","inputSchema":{}}"#,
      ]
      try await scratch.addServer("box", tools: "[\(tools.joined(separator: ","))]")
      try await scratch.shell("tool-call list --read-only | jq -r .name")
      try await scratch.shell("tool-call search echo --read-only | jq -r .name")
      for name in ["seen", "said", "not", "none"] {
        try await scratch.shell("tool-call --read-only box/echo_\(name) | jq -r .isError")
      }
      let call =
        #"{"type":"toolCall","id":"1","name":"echo_not","source":"mcp:box","arguments":{}}"# + "\n"
      try await scratch.shell("tool-call --read-only --allow '*' -", input: call)
      #expect(scratch.serverLog("box", "called").count == 1)
      // The server may change its mind between the list and the call.
      try scratch.write("given/box.json", "[\(tools[0].replacing("true", with: "false"))]")
      try await scratch.shell("tool-call --read-only box/echo_seen")
      #expect(scratch.serverLog("box", "called").count == 1)
      try scratch.expectGolden("tool-call/read-only")
    }
  }

  @Test func `an unknown argument is named before a missing one`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box")
      for arguments in ["txet=a", "other=a", "count=7", "other=a count=seven text=a"] {
        try await scratch.shell("tool-call box/echo \(arguments) | jq -r .error.explanation")
      }
      try scratch.expectGolden("tool-call/unknown-argument")
    }
  }

  @Test func `a failed tool and a wrong structure end with a status of their own`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box")
      try await scratch.shell("tool-call fail")
      try await scratch.shell("tool-call fail --text")
      try await scratch.shell("tool-call text_only")
      try await scratch.shell("tool-call show echo > echo.json")
      try await scratch.shell("tool-call --schema echo.json echo text=a")
      try await scratch.shell("echo '{}' > other.json")
      try await scratch.shell("tool-call --schema other.json echo text=a")
      try scratch.expectGolden("tool-call/results")
    }
  }

  @Test func `calls on stdin are answered in order, and other records are copied`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box")
      let input = """
        {"type":"toolCall","id":"1","name":"echo","source":"mcp:box","arguments":{"text":"a"}}
        {"type":"note","z":1, "a":2}
        {"type":"toolCall","id":"2","name":"fail","source":"mcp:box","arguments":{}}
        {"type":"toolCall","id":"3","name":"nothing","source":"mcp:box","arguments":{}}
        {"type":"toolCall","id":"4","name":"echo","source":"mcp:box","arguments":"broken"}
        no record
        {"type":"toolCall","name":"echo","source":"mcp:box","arguments":{}}
        {"type":"toolCall","id":"5","name":"mcp:box/echo","arguments":{"text":"b"}}

        """
      try await scratch.shell("tool-call --allow 'mcp:box/*' -", input: input)
      try await scratch.shell("tool-call --allow 'mcp:box/*' --jobs 4", input: input)
      try await scratch.shell("tool-call --jobs 0")
      try await scratch.shell("tool-call - text=a")
      try await scratch.shell("tool-call - --schema x")
      try scratch.expectGolden("tool-call/stdin")
    }
  }

  @Test func `a call of a model runs only if it is allowed`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try await scratch.addServer("box")
      try await scratch.shell("tool-call list | wc -l")
      let call =
        #"{"type":"toolCall","id":"1","name":"echo","source":"mcp:box","arguments":{"text":"a"}}"#
      try await scratch.shell("tool-call -", input: call + "\n")
      // Nobody allows it, so the server does not even start.
      #expect(scratch.serverLog("box", "started").count == 1)
      try await scratch.shell("tool-call --allow 'mcp:other/*' -", input: call + "\n")
      try await scratch.shell("tool-call --allow echo -", input: call + "\n")
      try scratch.write("home/config/config.toml", "[tools]\nallow = [\"mcp:b?x/e*\"]\n")
      try await scratch.shell("tool-call -", input: call + "\n")
      try scratch.expectGolden("tool-call/allowed")
      #expect(scratch.serverLog("box", "called").count == 2)
    }
  }

  @Test func `the servers of another program's file start only after an agreement`() async throws {
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try scratch.write("given/box.json", Scratch.tools)
      try scratch.serveScript()
      let words = scratch.serverCommand("box").split(separator: " ").map { "\"\($0)\"" }
      let rest = words.dropFirst().joined(separator: ",")
      try scratch.write(
        "work/client.json",
        """
        {"mcpServers":{"box":{"command":\(words[0]),"args":[\(rest)],
        "env":{"WHO":"${USER}","WHERE":"${NOWHERE:-here}"}}}}
        """)
      let listed = "tool-call list --mcp-config client.json"
      try await scratch.shell("\(listed) 2>&1 >/dev/null | sed 's|/[^ ]*/||g'")
      #expect(scratch.serverLog("box", "started").isEmpty)
      try await scratch.shell("\(listed) --allow mcp:box | jq -r .name")
      // The agreement is stored.
      try await scratch.shell("\(listed) --fresh | jq -r .name")
      try await scratch.shell(
        "tool-call env --mcp-config client.json | jq -r '.content[].text' | grep ^WH")
      try await scratch.shell("tool-call forget 'mcp:*'")
      try await scratch.shell("tool-call import client.json 2>&1 | sed 's|/[^ ]*/||g'")
      try await scratch.shell("tool-call list --fresh 2>&1 | grep -c notAgreed")
      try await scratch.shell("tool-call import client.json --allow '*' 2>/dev/null")
      try await scratch.shell("tool-call list --fresh | jq -r .name")
      // A changed command asks again.
      try scratch.write(
        "work/client.json",
        #"{"servers":{"box":{"command":"touch","args":["started"]}}}"#)
      try await scratch.shell("tool-call import client.json; tool-call list --fresh; ls started")
      for text in ["[]", "{}", #"{"servers":{"a b":{"command":"x"}}}"#, #"{"servers":{"a":{}}}"#] {
        try scratch.write("work/bad.json", text)
        try await scratch.shell("tool-call import bad.json")
      }
      try scratch.expectGolden("tool-call/import")
    }
  }

  @Test func `servers that claude mcp add and Codex wrote are imported`() async throws {
    try await Scratch.with { scratch in
      let folder = scratch.path("work")
      try scratch.write(
        "user/.claude.json",
        """
        {"numStartups": 3, "projects": {
          "\(folder)": {"allowedTools": [], "mcpServers": {
            "box": {"type": "stdio", "command": "./box", "args": ["x"], "env": {}}}},
          "/other": {"mcpServers": {"box": {"command": "far"}, "web": {"type": "http", "url": "https://a.example"}}}}}
        """)
      let claude = try await scratch.shell("tool-call import ~/.claude.json")
      #expect(claude.statuses == [0])
      #expect(
        claude.errors == """
          tool-call: 'mcp:box' of '/other' is not added: that of '\(folder)' has the same name
          tool-call: added: mcp:box (of '\(folder)')
          tool-call:   command: ./box x
          tool-call:   folder: \(folder)
          tool-call: added: mcp:web (of '/other')
          tool-call:   url: https://a.example
          tool-call: 'mcp:box' does not start until you agree to it
          tool-call: 'mcp:web' does not start until you agree to it

          """)
      try scratch.write(
        "user/.codex/config.toml",
        "model = \"m\"\n[mcp_servers.docs]\ncommand = \"docs\"\nargs = [\"--all\"]\n")
      let codex = try await scratch.shell("tool-call import ~/.codex/config.toml")
      #expect(codex.statuses == [0] && codex.errors.contains("added: mcp:docs\n"))
      let known = try await scratch.shell("grep '^\\[' ../home/config/tools.toml")
      #expect(
        known.output.split(separator: "\n").map { $0.filter { $0 != "\"" } }
          == ["[mcp.box]", "[mcp.docs]", "[mcp.web]"])
    }
  }

  @Test func `a program gets only the variables that it is given`() async throws {
    try await Scratch.with { scratch in
      scratch.set("BOX_API_KEY", scratch.secret)
      scratch.set("TMPDIR", "/tmp")
      try await scratch.addServer("box", "--env COLOUR=blue")
      let run = try await scratch.shell("tool-call mcp:box/env | jq -r '.content[].text'")
      let names = run.output.split(separator: "\n").map { $0.prefix { $0 != "=" } }
      let given: Set = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"]
      // A wrapper of python3 may set variables of its own.
      let passed = Set(names.map(String.init)).intersection(scratch.environment.keys)
      #expect(passed == given)
      #expect(names.contains("COLOUR"))
      try await scratch.addServer("keyed", "--env TOKEN=key:box")
      // The server got the secret; what it prints of it is masked.
      let keyed = try await scratch.shell("tool-call mcp:keyed/env --text")
      #expect(keyed.output.contains("TOKEN="))
      try await scratch.addServer("lost", "--env TOKEN=key:nowhere")
      let lost = try await scratch.shell("tool-call mcp:lost/env")
      #expect(lost.statuses == [77])
    }
  }

  @Test func `headers, variables and folders are stored as they were given`() async throws {
    try await Scratch.with { scratch in
      try await scratch.shell(
        "tool-call add web http://127.0.0.1:9/mcp --header 'Authorization: Bearer key:box'")
      try await scratch.shell("tool-call add box --env TOKEN=key:box --cwd /tmp -- sh -c 'a \"b\"'")
      try await scratch.shell("cat ../home/config/tools.toml")
      try await scratch.shell("tool-call login mcp:box --no-browser")
      try await scratch.shell("tool-call login mcp:other")
      try await scratch.shell("tool-call login tavily")
      try await scratch.shell("tool-call logout mcp:web")
      try await scratch.shell("tool-call list mcp:web")
      try await scratch.shell("tool-call list mcp:box")
      try scratch.expectGolden("tool-call/stored")
    }
  }

  @Test func `add refuses what describes no server`() async throws {
    try await Scratch.with { scratch in
      for arguments in [
        "add a", "add a https://a.example -- b", "add 'a b' -- c", "add a ftp://b",
        "add a --env X -- b", "add a --header 'X: y' -- b", "add a https://b --env X=y",
        "add a https://b --header X", "add a https://b --cwd /tmp", "import nothing.json",
        "remove nothing",
      ] {
        try await scratch.shell("tool-call \(arguments)")
      }
      try scratch.write("home/config/config.toml", "[mcp.mine]\ncommand = [\"true\"]\n")
      try await scratch.shell("tool-call add mine -- false")
      try await scratch.shell("tool-call remove mine")
      try scratch.expectGolden("tool-call/refused")
    }
  }
}
