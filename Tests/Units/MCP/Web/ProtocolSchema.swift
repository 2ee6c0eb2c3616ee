import Core
import Foundation
import Schemas
import Testing

@testable import MCP

/// The schema of a revision, against which the messages that we send are validated.
struct ProtocolSchema {
  private static let folder = ProcessInfo.processInfo.environment["AGENTPIPES_EVAL"]
    .map { $0 + "/mcp/schema/" }

  private let root: [String: JSONValue]
  /// The member with the definitions.
  private let place: String

  /// Reads the schema of the given revision; nil if AGENTPIPES_EVAL is not set.
  init?(_ revision: MCPRevision) throws {
    guard let folder = Self.folder else { return nil }
    let file = URL(filePath: folder + revision.rawValue + "/schema.json")
    root = try JSONDecoder().decode([String: JSONValue].self, from: Data(contentsOf: file))
    place = root["$defs"] == nil ? "definitions" : "$defs"
  }

  /// The definitions that the given message must match.
  private func names(for message: Received) -> [String] {
    let own: [String: String] = [
      "server/discover": "DiscoverRequest", "tools/list": "ListToolsRequest",
      "tools/call": "CallToolRequest", "initialize": "InitializeRequest",
      "notifications/initialized": "InitializedNotification",
      "notifications/cancelled": "CancelledNotification",
    ]
    return ["JSONRPCMessage"] + (message.method.isEmpty ? [] : [own[message.method] ?? "unknown"])
  }

  /// Returns a sentence for each fault of the given messages.
  func faults(of messages: [Received]) throws -> [String] {
    try messages.filter { $0.start.hasPrefix("POST") }.flatMap { message in
      try names(for: message).compactMap { name in
        var schema = root
        schema["$ref"] = .string("#/\(place)/\(name)")
        let problem = try JSONSchema(.object(schema)).problem(in: message.body)
        return problem.map { "\(message.method): \(name): \($0.sentence)" }
      }
    }
  }
}

/// Checks that all messages a server received are valid in their revision.
func expectValid(
  _ peer: WebPeer, _ revision: MCPRevision, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  guard let schema = try ProtocolSchema(revision) else { return }
  let faults = try schema.faults(of: peer.requests)
  #expect(faults.isEmpty, sourceLocation: sourceLocation)
}
