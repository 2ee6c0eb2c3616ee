import Foundation
import TestSupport
import Testing

/// tool-call against servers and clients that others wrote.
@Suite("tool-call, peers")
struct ToolCallPeerTests {
  @Test(arguments: ["venv-mcp", "venv-mcp-old"])
  func `mcp-server-time answers in its era`(_ folder: String) async throws {
    guard let program = Scratch.peer(folder, "mcp-server-time") else { return }
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path("bin/mcp-server-time"), withDestinationPath: program)
      try await scratch.shell("tool-call add time -- mcp-server-time --local-timezone UTC")
      try await scratch.shell("tool-call list | jq -c '{name,source}'")
      try await scratch.shell(
        "tool-call mcp:time/get_current_time timezone=Europe/Berlin"
          + " | jq -c '{consent,isError,source,zone:(.content[0].text|fromjson.timezone)}'")
      try await scratch.shell(
        "tool-call convert_time source_timezone=UTC time=12:30 target_timezone=Asia/Tokyo"
          + " | jq -r '.content[0].text | fromjson | .time_difference'")
      let failed = try await scratch.shell(
        "tool-call mcp:time/get_current_time timezone=Mars/Base >/dev/null 2>&1")
      #expect(failed.statuses == [1])
      let wrong = try await scratch.shell("tool-call mcp:time/get_current_time zone=UTC")
      #expect(wrong.statuses == [65])
      try scratch.expectGolden("tool-call/time-\(folder)")
    }
  }

  @Test func `mcp-server-fetch reads a page, and an address that it refuses is a result`()
    async throws
  {
    guard let program = Scratch.peer("venv-mcp", "mcp-server-fetch") else { return }
    try await Scratch.with { scratch in
      scratch.set("TAVILY_API_KEY", nil)
      let pages = try await scratch.servePages()
      try await scratch.shell("tool-call add open -- \(program) --allow-private-ips")
      try await scratch.shell("tool-call add careful -- \(program)")
      let call = "tool-call --text mcp:open/fetch url=\(pages.url("/page/1")) raw:=true"
      let read = try await scratch.shell(call)
      #expect(read.statuses == [0] && read.output.contains("the body of page 1"), "\(read.output)")
      let refused = try await scratch.shell(
        "tool-call mcp:careful/fetch url=\(pages.url("/page/2")) | jq -r '.isError'")
      #expect(refused.output == "true\n")
      #expect(refused.errors.contains("is not a public address"))
      #expect(!pages.requests.contains { $0["path"] == "/page/2" })
      // The schema says that the length is a positive integer.
      let wrong = try await scratch.shell(
        "tool-call mcp:open/fetch url=\(pages.url("/page/3")) max_length=0")
      #expect(wrong.statuses == [65])
    }
  }

  private func serveTavily(_ scratch: Scratch) async throws -> Server {
    let server = try await Server(
      scratch, "tavily_server.py", ["--key", scratch.secret], log: "tavily.log")
    scratch.set("TAVILY_BASE_URL", server.url("/"))
    return server
  }

  @Test func `the web is searched`() async throws {
    try await Scratch.with { scratch in
      let server = try await serveTavily(scratch)
      try await scratch.shell("tool-call list tavily")
      try await scratch.shell(
        "tool-call web_search query='the tide' | jq -c '.structuredContent=0'")
      try await scratch.shell("tool-call web_search query=news topic=news max_results=1 --text")
      try await scratch.shell("tool-call web_search query=a topic=gossip")
      try scratch.expectGolden("tool-call/search")
      #expect(server.requests.map { $0.number("body.max_results") } == [3, 1])
      #expect(server.requests.allSatisfy { $0["key"] == "1" })
    }
  }

  @Test(arguments: [
    ("status 400", "BadInput", 1), ("status 403", "PermissionDenied", 1),
    ("status 432", "QuotaExhausted", 1), ("status 433", "QuotaExhausted", 1),
    ("status 429", "RateLimited", 5), ("status 500", "ServerError", 3),
    ("status 500 once", "", 2), ("drop", "ToolFailed", 1), ("junk", "InvalidResponse", 1),
  ])
  func `each failure of a search has its code and its number of requests`(
    _ query: String, _ code: String, _ count: Int
  ) async throws {
    try await Scratch.with { scratch in
      let server = try await serveTavily(scratch)
      let run = try await scratch.shell("tool-call tavily/web_search query='\(query)'")
      let result = try #require(run.records("toolResult").first)
      #expect(result["error.code"] == code)
      #expect(server.requests.count == count)
      if query == "drop" { #expect(result["error.kind"] == "unknownOutcome") }
      if query == "status 432" { #expect(run.statuses == [77]) }
    }
  }

  @Test func `a wrong key is told apart`() async throws {
    try await Scratch.with { scratch in
      let server = try await serveTavily(scratch)
      scratch.set("TAVILY_API_KEY", "tvly-another-key")
      let run = try await scratch.shell("tool-call web_search query=a --retries 2")
      #expect(run.statuses == [77])
      #expect(run.errors.contains("missing or invalid API key"))
      #expect(server.requests.count == 1)
    }
  }

  @Test func `the search server is one that tavily-python accepts`() async throws {
    guard let python = Scratch.peer("venv-mcp", "python") else { return }
    try await Scratch.with { scratch in
      let server = try await serveTavily(scratch)
      try scratch.write(
        "work/peer.py",
        """
        import os
        from tavily import TavilyClient

        client = TavilyClient(os.environ["TAVILY_API_KEY"], api_base_url=os.environ["BASE"])
        print([page["url"] for page in client.search("the tide", max_results=2)["results"]])
        """)
      scratch.set("BASE", server.url(""))
      let run = try await scratch.shell("\(python) peer.py")
      #expect(run.output == "['https://example.org/1', 'https://example.org/2']\n")
    }
  }
}
