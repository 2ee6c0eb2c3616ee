import Core
import Foundation
import MCP
import Processes
import TestSupport
import Testing

/// The messages that the client sends, against the schema of each revision.
enum Revisions {
  static let python = Installed.path("venv-mcp", "python")
  static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_EVAL"].map {
    $0 + "/mcp/schema"
  }
}

@Suite(
  .serialized,
  .enabled(
    if: Revisions.python != nil && Revisions.folder != nil,
    "AGENTPIPES_EVAL names no schemas, or .build/venv-mcp is missing"))
struct SentMessageTests {
  @Test(arguments: [
    ("modern", "2026-07-28"), ("old", "2025-11-25"), ("old", "2025-06-18"), ("old", "2025-03-26"),
    ("old", "2024-11-05"), ("older", "2024-11-05"),
  ])
  func `each message is valid by the schema of its revision`(
    _ era: String, _ revision: String
  ) async throws {
    let isFound = era == "older" || revision > "2025-06-18"
    let made = try MadeServer(
      ["--era", era, "--list", "pages"], person: SamePerson(.accept(["name": .string("Ada")])),
      revision: isFound ? nil : MCPRevision(rawValue: revision),
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    #expect(try await made.client.tools().revision.rawValue == revision)
    _ = try await made.call("echo", ["a": .array([.null])])
    _ = try await made.call("ask")
    _ = try await made.call("ask_url")
    if era != "modern" { _ = try await made.call("pings", ["count": .int(1)]) }
    let call = Task { await failed { () throws(Failure) in _ = try await made.call("never") } }
    _ = await made.progress()
    call.cancel()
    _ = await call.value
    _ = try await made.call("echo")
    await made.client.close()
    let script = Checkout.root.path + "/Tests/Support/Servers/mcp_messages.py"
    let result = try ChildProcess.run(
      [
        try #require(Revisions.python), script,
        try #require(Revisions.folder) + "/\(revision)/schema.json", made.path("log"),
      ], environment: ["PATH": "/usr/bin:/bin"])
    // The probe is of the newest revision; no other schema has it.
    let expected =
      era == "modern"
      ? "notifications/cancelled server/discover tools/call tools/list"
      : "a reply initialize notifications/cancelled notifications/initialized tools/call tools/list"
    #expect(String(decoding: result.output, as: UTF8.self) == expected + "\n")
    #expect(result.status == 0)
  }
}
