import Core
import Foundation
import HTTP
import Keys
import OAuth
import TestSupport
import Testing

@testable import MCP

/// What refusals and redirects come to.
struct WebRefusalTests {
  private func refused(_ status: String, fields: String = "", _ body: String = "") async throws
    -> Failure?
  {
    let peer = try WebPeer { _ in WebPeer.status(status, body: body, fields: fields) }
    return await failure { () async throws(Failure) in try await peer.ask("initialize") }
  }

  @Test func `a server that wants a login names the tool for it`() async throws {
    let failure = try await refused("401 No", fields: "WWW-Authenticate: Bearer\n")
    #expect(failure?.code == .authExpired)
    #expect(failure?.nextStep == "run 'tool-call login mcp:test'")
  }

  @Test func `a login that cannot be renewed is asked for once`() async throws {
    let home = try Home()
    let keys = KeyStore(directories: home.directories, environment: [:], command: nil)
    let peer = try WebPeer { _ in WebPeer.status("401 No") }
    let access = OAuthAccess(
      keyName: "mcp-test", resource: peer.server.url("/mcp"), keys: keys,
      directories: home.directories, client: HTTPClient())
    let place = WebPlace(name: "mcp:test", url: peer.server.url("/mcp"), access: access)
    let channel = WebChannel(place)
    let request = MCPRequest(method: "tools/list", params: [:], isRepeatable: true)
    let failure = await failure { () async throws(Failure) in
      try await channel.exchange(request, .modern, timeout: .seconds(600)) { _ in nil }
    }
    #expect(failure?.code == .authExpired)
    #expect(peer.requests.count == 1)
  }

  @Test func `an authorization of the user's own is sent, and no other`() async throws {
    let home = try Home()
    let keys = KeyStore(directories: home.directories, environment: [:], command: nil)
    let access = OAuthAccess(
      keyName: "mcp-test", resource: "http://127.0.0.1/", keys: keys,
      directories: home.directories, client: HTTPClient())
    let peer = try WebPeer(fields: [HTTPField("Authorization", "Bearer own")], access: access) {
      _ in WebPeer.status("401 No")
    }
    let failure = await failure { () async throws(Failure) in try await peer.call() }
    #expect(failure?.code == .authExpired)
    #expect(peer.requests.map { $0.fields["authorization"] } == ["Bearer own"])
  }

  @Test func `statuses are failures of the table`() async throws {
    #expect(try await refused("403 No")?.code == .permissionDenied)
    #expect(try await refused("404 No", "<p>no</p>")?.code == .notFound)
    #expect(try await refused("405 No")?.code == .notFound)
    #expect(try await refused("402 No")?.code == .quotaExhausted)
    #expect(try await refused("500 No")?.code == .serverError)
    let failure = try await refused(
      "403 No", WebPeer.error("null", 1).replacing("no", with: "\\u001b[2J not\\nyou"))
    #expect(failure?.explanation.contains("<U+001B>[2J not you") == true)
  }

  @Test func `a redirect at the same origin keeps the message`() async throws {
    let peer = try WebPeer { request in
      request.start == "POST /mcp"
        ? WebPeer.status("307 Go", fields: "Location: /mcp/\n") : WebPeer.result(request)
    }
    #expect(try await peer.call().result != nil)
    #expect(peer.requests.map(\.start) == ["POST /mcp", "POST /mcp/"])
    #expect(peer.requests.map(\.method) == ["tools/call", "tools/call"])
  }

  @Test(arguments: [
    "307 Go|http://127.0.0.2:%/mcp", "308 Go|https://127.0.0.1:%/mcp",
    "307 Go|http://127.0.0.1:1/mcp", "302 Go|/mcp/", "303 Go|/mcp/", "307 Go|", "301 Go|/mcp/",
    "307 Go|http://user@127.0.0.1:%/mcp", "307 Go|\\\\127.0.0.1\\mcp", "307 Go|//127.0.0.2/",
  ])
  func `any other redirect is not followed`(redirect: String) async throws {
    let parts = redirect.split(separator: "|", omittingEmptySubsequences: false)
    let peer = try WebPeer(fields: [HTTPField("X-Secret", "secret-29")]) { request in
      let port = request.fields["host"]?.split(separator: ":").last ?? ""
      return WebPeer.status(
        String(parts[0]),
        fields: parts[1].isEmpty ? "" : "Location: \(parts[1].replacing("%", with: port))\n")
    }
    let failure = await failure { () async throws(Failure) in try await peer.call() }
    #expect(failure?.code == .notFound)
    #expect(failure?.kind == .redirected)
    #expect(peer.requests.count == 1)
  }

  @Test func `redirects without end are given up`() async throws {
    let peer = try WebPeer { _ in WebPeer.status("308 Go", fields: "Location: /again\n") }
    let failure = await failure { () async throws(Failure) in try await peer.call() }
    #expect(failure?.kind == .redirected)
    #expect(peer.requests.count == 6)
  }

  // MARK: The era

  private func probe(_ status: String, _ type: String, _ body: String) async throws -> Result<
    MCPReply, Failure
  > {
    let peer = try WebPeer { request in
      WebPeer.status(status, type, body.replacing("%", with: request.id))
    }
    do throws(Failure) {
      return .success(try await peer.ask("server/discover"))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [
    ("400 No", "text/html", "<p>no</p>"), ("404 No", "text/plain", ""), ("405 No", "", ""),
    ("400 No", "application/json", WebPeer.error(#""server-error""#, -32600)),
    ("400 No", "application/json", WebPeer.error("null", -32000)),
    ("406 No", "application/json", "{}"),
    ("200 OK", "application/json", WebPeer.error("%", -32601)),
    ("200 OK", "application/json", WebPeer.error("%", -32602)),
  ])
  func `a refusal without a modern error means an older revision`(
    status: String, type: String, body: String
  ) async throws {
    guard case .failure(let failure) = try await probe(status, type, body) else {
      Issue.record("an answer")
      return
    }
    #expect(failure.code == .protocolMismatch)
    #expect(failure.kind == .otherEra)
  }

  @Test(arguments: [
    ("400 No", WebPeer.error("%", -32022)), ("400 No", WebPeer.error("null", -32020)),
    ("400 No", WebPeer.error("%", -32021)), ("404 No", WebPeer.error("%", -32601)),
  ])
  func `a refusal with a modern error is the answer of a modern server`(
    status: String, body: String
  ) async throws {
    guard case .success(let reply) = try await probe(status, "application/json", body) else {
      Issue.record("a failure")
      return
    }
    #expect(reply.code != nil)
  }

  @Test func `401 and 403 say nothing of the era`() async throws {
    for status in ["401 No", "403 No", "429 No", "503 No"] {
      guard case .failure(let failure) = try await probe(status, "", "") else {
        Issue.record("an answer")
        continue
      }
      #expect(failure.kind != .otherEra)
    }
  }

  @Test func `a server that has become an older one is noticed at a call`() async throws {
    let peer = try WebPeer { _ in
      WebPeer.status("400 No", body: WebPeer.error(#""server-error""#, -32600))
    }
    #expect(await failure { () async throws(Failure) in try await peer.call() }?.kind == .otherEra)
  }

  @Test func `a call that a modern server refuses is answered, and not sent again`() async throws {
    let peer = try WebPeer(retries: nil) { request in
      WebPeer.status("400 No", body: WebPeer.error(request.id, -32600))
    }
    #expect(try await peer.call().code == -32600)
    #expect(peer.requests.count == 1)
  }
}
