import Core
import Foundation
import HTTP
import Keys
import OAuth
import Schemas
import Synchronization
import TestSupport
import Testing

@testable import MCP

/// A request as a server of HTTP receives it.
struct Received: Sendable {
  /// The method and the target, such as `POST /mcp`.
  let start: String
  /// The fields, with names in lower case.
  let fields: [String: String]
  /// The body.
  let body: JSONValue

  init(_ text: String) {
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = (parts.first ?? "").split(separator: "\r\n")
    start = (lines.first ?? "").split(separator: " ").prefix(2).joined(separator: " ")
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      fields[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
    }
    self.fields = fields
    let data = Data((parts.count > 1 ? parts[1] : "").utf8)
    body = (try? JSONDecoder().decode(JSONValue.self, from: data)) ?? .null
  }

  /// The method of the message; empty for a reply.
  var method: String {
    if case .string(let method)? = body.members?["method"] { method } else { "" }
  }
  /// The id of the message as JSON; `null` if it has none.
  var id: String {
    let id = body.members?["id"] ?? .null
    return String(decoding: (try? JSONEncoder().encode(id)) ?? Data(), as: UTF8.self)
  }
}

/// A server whose answers a test writes, and a channel to it.
final class WebPeer: Sendable {
  let server: LoopbackServer
  let channel: WebChannel

  init(
    path: String = "/mcp", fields: [HTTPField] = [], access: OAuthAccess? = nil, retries: Int? = 0,
    _ answer: @escaping @Sendable (Received) -> Reply
  ) throws {
    server = try LoopbackServer { answer(Received($0)) }
    let place = WebPlace(
      name: "mcp:test", url: server.url(path), fields: fields, access: access)
    channel = WebChannel(place, retries: RetryPolicy(retries: retries))
  }

  /// The requests so far.
  var requests: [Received] { server.requests.map(Received.init) }

  /// Sends a call of a tool, which is not repeatable.
  func call(
    _ revision: MCPRevision? = .modern, tool: String = "add",
    mirrored: [(name: String, value: String)] = [], timeout: Duration = .seconds(600),
    receive: @escaping @Sendable (MCPIncoming) async -> MCPReply? = { _ in nil }
  ) async throws(Failure) -> MCPReply {
    var request = MCPRequest(
      method: "tools/call", params: Self.params(revision, ["name": .string(tool)]), name: tool,
      isRepeatable: false)
    request.mirrored = mirrored
    return try await channel.exchange(request, revision, timeout: timeout, receive: receive)
  }

  /// Sends a request that may be repeated.
  func ask(
    _ method: String, _ revision: MCPRevision? = .modern, _ params: [String: JSONValue] = [:],
    timeout: Duration = .seconds(600)
  ) async throws(Failure) -> MCPReply {
    let request = MCPRequest(
      method: method, params: Self.params(revision, params), isRepeatable: true)
    return try await channel.exchange(request, revision, timeout: timeout) { _ in nil }
  }

  /// Begins a session of an older revision.
  func begin(_ revision: MCPRevision = .init(rawValue: "2025-11-25")) async throws(Failure) {
    let params: [String: JSONValue] = [
      "protocolVersion": .string(revision.rawValue), "capabilities": .object([:]),
      "clientInfo": .object(["name": .string("test"), "version": .string("1")]),
    ]
    _ = try await ask("initialize", revision, params)
    try await channel.notify("notifications/initialized", [:], revision)
  }

  private static func params(
    _ revision: MCPRevision?, _ params: [String: JSONValue]
  ) -> [String: JSONValue] {
    guard revision?.isModern == true else { return params }
    let meta: [String: JSONValue] = [
      "io.modelcontextprotocol/protocolVersion": .string(MCPRevision.modern.rawValue),
      "io.modelcontextprotocol/clientCapabilities": .object([:]),
      "io.modelcontextprotocol/clientInfo": .object([
        "name": .string("test"), "version": .string("1"),
      ]),
    ]
    return params.merging(["_meta": .object(meta)]) { $1 }
  }

  // MARK: Answers

  /// An answer of any status.
  static func status(
    _ status: String, _ type: String = "application/json", _ body: String = "",
    fields: String = ""
  ) -> Reply {
    Reply(
      "HTTP/1.1 \(status)\nContent-Type: \(type)\n\(fields)Content-Length: \(body.utf8.count)\n"
        + "Connection: close\n\n", body: Array(body.utf8))
  }

  /// A result as JSON.
  static func result(
    _ request: Received, _ result: String = #"{"content":[]}"#, fields: String = ""
  ) -> Reply {
    status("200 OK", body: body(request, result), fields: fields)
  }

  /// An answer of any status with JSON.
  static func status(_ status: String, body: String, fields: String = "") -> Reply {
    self.status(status, "application/json", body, fields: fields)
  }

  /// The message with a result.
  static func body(_ request: Received, _ result: String = #"{"content":[]}"#) -> String {
    #"{"jsonrpc":"2.0","id":\#(request.id),"result":\#(result)}"#
  }

  /// The message with an error.
  static func error(_ id: String, _ code: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"no"}}"#
  }

  /// A stream of events that ends with the connection.
  static func events(_ events: String, then ending: Reply.Ending = .close) -> Reply {
    Reply(
      "HTTP/1.1 200 OK\nContent-Type: text/event-stream\nConnection: close\n\n" + events,
      then: ending)
  }

  /// An event with a message.
  static func event(_ message: String) -> String { "event: message\ndata: \(message)\n\n" }

  /// The answers of a server of an older revision: a session, and its begin and end.
  static func handshake(_ request: Received, session: String = "s-1") -> Reply? {
    switch (request.start.prefix(4), request.method) {
    case (_, "initialize"):
      let result =
        #"{"protocolVersion":"2025-11-25","capabilities":{},"#
        + #""serverInfo":{"name":"t","version":"1"}}"#
      return self.result(request, result, fields: "MCP-Session-Id: \(session)\n")
    case (_, let method) where method.hasPrefix("notifications/"): return status("202 Accepted")
    case ("DELE", _): return status("200 OK")
    default: return nil
    }
  }
}

/// The failure of a request.
func failure(
  _ request: () async throws(Failure) -> MCPReply, sourceLocation: SourceLocation = #_sourceLocation
) async -> Failure? {
  do throws(Failure) {
    let reply = try await request()
    Issue.record("answered \(reply)", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

extension MCPReply {
  /// The members of a result; nil for an error.
  var result: [String: JSONValue]? { if case .result(let result) = self { result } else { nil } }
  /// The code of an error; nil for a result.
  var code: Int? { if case .error(let code, _, _) = self { code } else { nil } }
}
