import Foundation
import TestSupport
import Testing

/// `gate-decide serve`, as the official client of the protocol and as a plain pipe see it.
@Suite("the permission tool")
struct PermissionToolTests {
  private static func call(_ id: Int, _ command: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"approve","arguments":"#
      + #"{"tool_name":"Bash","input":{"command":"\#(command)"},"tool_use_id":"toolu_\#(id)"}}}"#
      + "\n"
  }

  private static func gates(_ scratch: Scratch, _ options: String = "") async throws -> [String] {
    let run = try await scratch.shell("gate-decide list \(options) | jq -r .gateId")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test func `calls are decided by rules and at gates, side by side`() async throws {
    try await Scratch.with { scratch in
      try scratch.write("home/config/config.toml", "[hook]\nallow = [\"Bash(git status)\"]\n")
      let server = try scratch.starting("gate-decide", "serve", input: nil)
      let pipe = try #require(server.writer)
      pipe.write(Self.call(1, "ls") + Self.call(2, "pwd") + Self.call(3, "git status"))
      try await scratch.until("the rule has answered") { server.output.contains(#""id":3"#) }
      #expect(
        server.output == #"{"id":3,"jsonrpc":"2.0","result":{"content":[{"text":"#
          + #""{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"git status\"}}","type":"text"}]}}"#
          + "\n")
      try await scratch.until("two gates wait") { try await Self.gates(scratch).count == 2 }
      let named = try await scratch.shell(
        "gate-decide list | jq -r 'select(.summary | endswith(\": pwd\")) | .gateId'")
      try await scratch.shell(
        "gate-decide reject \(named.output.dropLast()) --reason 'not this one'")
      try await scratch.until("it has answered") { server.output.contains(#""id":2"#) }
      #expect(server.output.contains(#"said no: not this one\"}"#))
      // The agent takes back the other.
      pipe.write(
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"# + "\n")
      try await scratch.until("no gate waits") { try await Self.gates(scratch).isEmpty }
      pipe.write(Self.call(4, "make"))
      try await scratch.until("a gate waits") { try await Self.gates(scratch).count == 1 }
      let run = await server.ended()
      #expect(run.endings == [.exit(0)] && !run.output.contains(#""id":1,"#))
      #expect(try await Self.gates(scratch).isEmpty)
    }
  }

  @Test func `nothing but a decision allows`() async throws {
    try await Scratch.with { scratch in
      let late = try await scratch.shell(
        "gate-decide serve --timeout 0.1s", input: Self.call(1, "ls"))
      #expect(late.statuses == [0] && !late.output.contains("allow"))
      try scratch.write("home/config/config.toml", "[hook\n")
      let broken = try await scratch.shell("gate-decide serve", input: Self.call(1, "ls"))
      #expect(broken.statuses == [0] && broken.output.contains(#"\"behavior\":\"deny\""#))
    }
  }

  @Test func `the official client lists and calls the tool`() async throws {
    guard let python = Scratch.peer("venv-mcp", "python") else { return }
    try await Scratch.with { scratch in
      try scratch.write(
        "home/config/config.toml", "[hook]\nallow = [\"Read(*)\"]\ndeny = [\"Bash(rm *)\"]\n")
      try scratch.write(
        "work/peer.py",
        """
        import asyncio, json, os, subprocess
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client

        async def call(session, tool, arguments, id):
            result = await session.call_tool(
                "approve", {"tool_name": tool, "input": arguments, "tool_use_id": id})
            return json.loads(result.content[0].text)

        async def main():
            server = StdioServerParameters(command="gate-decide", args=["serve"], env=dict(os.environ))
            async with stdio_client(server) as (reading, writing):
                async with ClientSession(reading, writing) as session:
                    await session.initialize()
                    print([tool.name for tool in (await session.list_tools()).tools])
                    print(await call(session, "Read", {"file_path": "/etc/motd", "limit": 5}, "1"))
                    print(await call(session, "Bash", {"command": "rm -rf x"}, "2"))
                    waiting = asyncio.create_task(call(session, "Bash", {"command": "make"}, "3"))
                    gate = b""
                    while not gate:
                        await asyncio.sleep(0.01)
                        listed = await asyncio.to_thread(
                            subprocess.run, "gate-decide list | jq -r .gateId", shell=True, capture_output=True)
                        gate = listed.stdout.strip()
                    await asyncio.to_thread(
                        subprocess.run, ["gate-decide", "approve", gate.decode()], capture_output=True)
                    print(await waiting)

        asyncio.run(main())
        """)
      let run = try await scratch.shell("\(python) peer.py")
      #expect(
        run.output == """
          ['approve']
          {'behavior': 'allow', 'updatedInput': {'file_path': '/etc/motd', 'limit': 5}}
          {'behavior': 'deny', 'message': "denied by the rule 'Bash(rm *)'"}
          {'behavior': 'allow', 'updatedInput': {'command': 'make'}}

          """, "\(run.errors)")
    }
  }
}
