import Core
import Testing

@testable import MCP

/// The time limits of requests to a program.
@Suite(.serialized) struct ProgramTimeTests {
  private let probe = MCPRequest(method: "server/discover", params: [:], isRepeatable: true)

  private func call(_ tool: String, _ arguments: [String: JSONValue] = [:]) -> MCPRequest {
    let meta: [String: JSONValue] = [
      "io.modelcontextprotocol/protocolVersion": .string("2026-07-28"),
      "progressToken": .string("token"),
    ]
    return MCPRequest(
      method: "tools/call",
      params: [
        "name": .string(tool), "arguments": .object(arguments), "_meta": .object(meta),
      ], isRepeatable: false)
  }

  /// The server has started before the time of a request begins.
  private func started(_ made: MadeServer) async throws -> ProgramChannel {
    let channel = try made.channel()
    _ = try await channel.exchange(probe, .modern, timeout: .seconds(600)) { _ in nil }
    return channel
  }

  @Test func `a call that takes too long is cancelled at the server`() async throws {
    let made = try MadeServer()
    let channel = try await started(made)
    let failure = await failed { () throws(Failure) in
      _ = try await channel.exchange(call("never"), .modern, timeout: .seconds(1)) { _ in nil }
    }
    #expect(failure?.code == .timeout)
    // The server reads messages in order.
    _ = try await channel.exchange(call("echo"), .modern, timeout: .seconds(600)) { _ in nil }
    await channel.close()
    #expect(try made.methods.contains("notifications/cancelled"))
  }

  @Test func `progress extends the time, and is passed on`() async throws {
    let made = try MadeServer()
    let channel = try await started(made)
    let arguments: [String: JSONValue] = ["steps": .int(6), "pause": .double(3)]
    let notes = ProgressNotes("mcp:made") { note in
      #expect(note == .progress("'mcp:made': 0 of 6: step<U+001B>[31m"))
    }
    let reply = try await channel.exchange(
      call("progress", arguments), .modern, timeout: .seconds(15)
    ) { incoming in
      guard case .notification(_, let params) = incoming, params["progress"] == .int(0) else {
        return nil
      }
      notes.report(params)
      return nil
    }
    guard case .result(let result) = reply else { return #expect(Bool(false), "\(reply)") }
    #expect(result["content"] != nil)
    await channel.close()
  }
}
