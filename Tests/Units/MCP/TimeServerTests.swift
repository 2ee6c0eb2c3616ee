import Core
import Foundation
import MCP
import TestSupport
import Testing

/// Programs of PyPI that `scripts/test` installs.
enum Installed {
  /// Returns the path of a program, if it is installed.
  static func path(_ environment: String, _ program: String) -> String? {
    let path = "\(Checkout.root.path)/.build/\(environment)/bin/\(program)"
    return access(path, X_OK) == 0 ? path : nil
  }

  static let time = path("venv-mcp", "mcp-server-time")
  static let oldTime = path("venv-mcp-old", "mcp-server-time")
  static let git = path("venv-mcp", "mcp-server-git")
}

/// mcp-server-time, of both eras: each row of the table of facts that concerns a client.
@Suite(
  .serialized,
  .enabled(
    if: Installed.time != nil && Installed.oldTime != nil,
    "mcp-server-time is not installed in .build/venv-mcp and .build/venv-mcp-old"))
struct TimeServerTests {
  private func server(_ isOld: Bool, remembered: MCPRevision? = nil) throws -> MadeServer {
    let program = isOld ? Installed.oldTime : Installed.time
    return try MadeServer(program: [try #require(program)], remembered: remembered)
  }

  @Test(arguments: [false, true])
  func `tools are listed and called`(_ isOld: Bool) async throws {
    let made = try server(isOld)
    let listing = try await made.client.tools()
    #expect(listing.revision.isModern != isOld)
    #expect(listing.revision.isKnown && listing.faults == [])
    #expect(listing.tools.map(\.name) == ["get_current_time", "convert_time"])
    let zone: [String: JSONValue] = ["timezone": .string("Europe/Berlin")]
    let result = try await made.client.call(listing.tools[0], arguments: .object(zone))
    #expect(!result.isError)
    #expect(result.json?.members?["timezone"] == .string("Europe/Berlin"))
    await made.client.close()
    #expect(!made.allNotes.contains { if case .fault = $0 { true } else { false } })
  }

  @Test(arguments: [false, true])
  func `bad arguments are a result, and an unknown tool is what the era says`(
    _ isOld: Bool
  ) async throws {
    let made = try server(isOld)
    let nowhere: [String: JSONValue] = ["timezone": .string("No/Where")]
    let bad = try await made.call("get_current_time", nowhere)
    #expect(bad.isError && bad.text?.isEmpty == false)
    if isOld {
      #expect(try await made.call("no_such_tool").isError)
    } else {
      let failure = await failed { () throws(Failure) in _ = try await made.call("no_such_tool") }
      #expect(failure?.code == .toolFailed && failure?.kind == .invalidParams)
    }
    await made.client.close()
  }

  @Test(arguments: [false, true])
  func `a remembered era is tried first, and found anew if it went wrong`(_ isOld: Bool)
    async throws
  {
    // The new server accepts a handshake, too, so that the memory of one goes on to work.
    let made = try server(isOld, remembered: isOld ? .modern : MCPRevision(rawValue: "2025-06-18"))
    let revision = try await made.client.tools().revision.rawValue
    #expect(revision == (isOld ? "2025-11-25" : "2025-06-18"))
    await made.client.close()
    #expect(try await made.client.tools().tools.count == 2)
    await made.client.close()
  }
}

@Suite(.enabled(if: Installed.git != nil, "mcp-server-git is not installed in .build/venv-mcp"))
struct GitServerTests {
  @Test func `a repository's log is read`() async throws {
    let home = try Home()
    let made = try MadeServer(
      program: [
        "sh", "-c",
        "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first"
          + " && exec \"$0\"", try #require(Installed.git),
      ], folder: home.path)
    let listing = try await made.client.tools()
    let log = try #require(listing.tools.first { $0.name == "git_log" })
    let result = try await made.client.call(
      log, arguments: .object(["repo_path": .string(home.path)]))
    #expect(!result.isError && result.text?.contains("first") ?? false)
    await made.client.close()
  }
}
