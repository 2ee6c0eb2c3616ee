import Core
import Foundation
import TestSupport
import Testing

@testable import Tools

/// The lists, searches and results of Composio's tool router.
@Suite struct ComposioSourceTests {
  @Test func `the tools of the toolkits are listed over all pages`() async throws {
    let server = try ComposioServer("{}", ["--pages", "3"])
    let tools = try await server.source(toolkits: ["gmail", "google_maps"]).tools(fresh: false)
    #expect(
      tools.map(\.fullName) == [
        "composio/COMPOSIO_SEARCH_TOOLS", "composio/COMPOSIO_MULTI_EXECUTE_TOOL",
        "composio/COMPOSIO_GET_TOOL_SCHEMAS", "composio/GMAIL_SEND_EMAIL",
        "composio/GOOGLE_MAPS_LIST_PLACES",
      ])
    #expect(tools.last?.annotations == .object(["readOnlyHint": .bool(true)]))
    #expect(tools[3].inputSchema["required"]?.texts == ["to"])
    #expect(server.calls == ["create", "tools", "tools", "tools"])
  }

  @Test func `a stored list is used by other processes, and read again if asked`() async throws {
    let server = try ComposioServer()
    _ = try await server.source().tools(fresh: false)
    let stored = try await server.source().tools(fresh: false)
    #expect(stored.allSatisfy { $0.listedAt != nil })
    #expect(server.calls == ["create", "tools"])
    _ = try await server.source().current("COMPOSIO_SEARCH_TOOLS")
    #expect(server.calls == ["create", "tools"])
    let fresh = try await server.source().tools(fresh: true)
    #expect(fresh.allSatisfy { $0.listedAt == nil })
    #expect(server.calls == ["create", "tools", "tools"])
  }

  @Test func `a list whose cursors repeat is refused`() async throws {
    let page = #"{"body":"{\"items\":[],\"next_cursor\":\"1\"}"}"#
    let server = try ComposioServer(#"{"tools":[\#(page),\#(page),\#(page)]}"#)
    await #expect(throws: Failure.self) { _ = try await server.source().tools(fresh: true) }
    #expect(server.count("tools") == 2)
  }

  @Test func `a tool outside the list is found by its name`() async throws {
    let server = try ComposioServer()
    let source = server.source()
    #expect(try await source.tool(named: "GMAIL_SEND_EMAIL")?.name == "GMAIL_SEND_EMAIL")
    #expect(try await source.current("GMAIL_SEND_EMAIL").tool.name == "GMAIL_SEND_EMAIL")
    #expect(server.calls == ["create", "tools", "tool"])
    for name in ["NO_SUCH_TOOL", "../session", "a b", ""] {
      do throws(Failure) {
        _ = try await source.tool(named: name)
        Issue.record("found '\(name)'")
      } catch {
        #expect(error.code == .notFound)
      }
    }
    #expect(server.count("tool") == 2)
  }

  @Test func `a search returns tools with their schemas, the best first`() async throws {
    let server = try ComposioServer()
    let found = try await server.source().search(String(repeating: "mail ", count: 400))
    #expect(found.map(\.name) == ["GMAIL_SEND_EMAIL", "GOOGLE_MAPS_LIST_PLACES"])
    #expect(found.last?.inputSchema["properties"]?["near"] != nil)
    #expect(server.calls == ["create", "search", "tool"])
  }

  @Test func `a result has its data, its text and its log id`() async throws {
    let server = try ComposioServer()
    let source = server.source()
    let result = try await server.call(source)
    #expect(!result.isError)
    #expect(result.logId == "log_1")
    #expect(result.structuredContent?["arguments"]?["to"] == .string("a@example.org"))
    let text = try #require(result.content.first?["text"]?.text)
    #expect(JSONValue(json: text.utf8) == result.structuredContent)
    _ = try await server.call(source, "COMPOSIO_SEARCH_TOOLS")
    #expect(server.calls == ["create", "execute", "executeMeta"])
  }

  @Test func `an error beside the status 200 is the error of the tool`() async throws {
    let server = try ComposioServer(#"{"execute":[{"error":"to is missing"}]}"#)
    let result = try await server.call()
    #expect(result.isError)
    #expect(result.logId == "log_failed")
    #expect(result.content.compactMap { $0["text"]?.text } == ["to is missing"])
    #expect(server.count("execute") == 1)
  }

  @Test(arguments: [
    "javascript:alert(1)", "file:///etc/passwd", "ftp://a.example/", "https://a.example/\\u001b[2J",
    "http://a b/", "",
  ])
  func `a link that is no address is refused`(link: String) async throws {
    let server = try ComposioServer(
      #"{"link":[{"body":"{\"redirect_url\":\"\#(link.replacing("\\", with: "\\\\"))\"}"}]}"#)
    do throws(Failure) {
      _ = try await server.source().link("gmail")
      Issue.record("showed a link")
    } catch {
      #expect(error.code == .invalidResponse)
    }
  }

  @Test func `the client of PyPI accepts the server of these tests`() async throws {
    let python = Checkout.root.appending(path: ".build/venv-composio/bin/python").path
    guard access(python, X_OK) == 0 else { return }
    let server = try ComposioServer(#"{"execute":[null,{"error":"refused"}]}"#, ["--pages", "2"])
    let check = Process()
    let output = Pipe()
    check.executableURL = URL(filePath: python)
    check.arguments = [
      Checkout.root.appending(path: "Tests/Support/Servers/composio_client_check.py").path,
      server.base, ComposioServer.key,
    ]
    check.standardOutput = output
    try check.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    check.waitUntilExit()
    #expect(String(decoding: text, as: UTF8.self) == "accepted\n")
  }
}
