import Core
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import MCP

/// What the channel sends to servers of 2026-07-28, and what it makes of their answers.
struct WebChannelTests {
  @Test func `a call names its revision, its method, its tool and its mirrored arguments`()
    async throws
  {
    let fields = [
      HTTPField("X-Own", "yes"), HTTPField("Mcp-Method", "no"), HTTPField("accept", "text/html"),
    ]
    let peer = try WebPeer(fields: fields) { WebPeer.result($0) }
    _ = try await peer.call(
      tool: "wörk", mirrored: [("Region", "us-west1"), ("Text", " padded "), ("Empty", "")])
    let request = try #require(peer.requests.first)
    #expect(request.start == "POST /mcp")
    #expect(request.fields["accept"] == "application/json, text/event-stream")
    #expect(request.fields["content-type"] == "application/json")
    #expect(request.fields["mcp-protocol-version"] == "2026-07-28")
    #expect(request.fields["mcp-method"] == "tools/call")
    #expect(request.fields["mcp-name"] == "=?base64?d8O2cms=?=")
    #expect(request.fields["mcp-param-region"] == "us-west1")
    #expect(request.fields["mcp-param-text"] == "=?base64?IHBhZGRlZCA=?=")
    #expect(request.fields["mcp-param-empty"] == "")
    #expect(request.fields["x-own"] == "yes")
    #expect(request.fields["mcp-session-id"] == nil)
    #expect(request.fields["authorization"] == nil)
  }

  @Test func `each request has an id of its own`() async throws {
    let peer = try WebPeer { WebPeer.result($0) }
    for _ in 0..<3 { _ = try await peer.ask("tools/list") }
    #expect(Set(peer.requests.map(\.id)).count == 3)
    await peer.channel.close()
    #expect(peer.requests.count == 3)
  }

  @Test func `a stream brings notifications, then the answer, and is left`() async throws {
    let peer = try WebPeer { request in
      let note = #"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#
      let foreign = #"{"jsonrpc":"2.0","id":"x","method":"sampling/createMessage"}"#
      let wrong = #"{"jsonrpc":"2.0","id":999,"result":{"content":[1]}}"#
      return WebPeer.events(
        ": a comment\n\nid: 1\ndata:\n\n"
          + [note, foreign, wrong, WebPeer.body(request)].map(WebPeer.event).joined(),
        then: .hold)
    }
    let seen = Mutex<[String]>([])
    let reply = try await peer.call { incoming in
      if case .notification(let method, _) = incoming { seen.withLock { $0.append(method) } }
      if case .request(let method, _) = incoming { seen.withLock { $0.append(method) } }
      return nil
    }
    #expect(reply.result == ["content": .array([])])
    #expect(seen.withLock { $0 } == ["notifications/progress"])
    for await _ in peer.server.closings { break }
    #expect(peer.requests.count == 1)
  }

  @Test func `an error of the protocol is an answer`() async throws {
    let peer = try WebPeer { request in
      request.method == "tools/call"
        ? WebPeer.status("400 No", "application/json", WebPeer.error(request.id, -32020))
        : WebPeer.status("404 No", "application/json", WebPeer.error("null", -32601))
    }
    #expect(try await peer.call().code == -32020)
    #expect(try await peer.ask("tools/list").code == -32601)
  }

  @Test func `cancelling the task closes the stream`() async throws {
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let peer = try WebPeer { _ in
      continuation.yield()
      return WebPeer.events(": wait\n\n", then: .hold)
    }
    let task = Task { await failure { () async throws(Failure) in try await peer.call() } }
    for await _ in started { break }
    task.cancel()
    #expect(await task.value?.code == .interrupted)
    for await _ in peer.server.closings { break }
    #expect(peer.requests.map(\.method) == ["tools/call"])
  }

  @Test func `a server that sends no answer runs out of time, whatever else it sends`()
    async throws
  {
    let log = #"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}"#
    for noise in [": a comment\r\n\r\n", "data: \(log)\r\n\r\n"] {
      let peer = try WebPeer { _ in
        WebPeer.events("", then: .repeated(Array(noise.utf8)))
      }
      let failure = await failure { () async throws(Failure) in
        try await peer.call(timeout: .milliseconds(200))
      }
      #expect(failure?.code == .timeout)
      #expect(peer.requests.count <= 1)
    }
  }

  @Test func `a lost answer to a call is an unknown outcome, and nothing is sent again`()
    async throws
  {
    let cuts: [Reply] = [
      Reply(""), Reply("HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 90\n\n{"),
      WebPeer.events("data: {\n"), WebPeer.events("id: 7\ndata:\n\n"),
      WebPeer.status("202 Accepted"), WebPeer.status("500 No"), WebPeer.status("502 No"),
      WebPeer.status("504 No"), WebPeer.status("408 No"), WebPeer.status("200 OK", body: "[]"),
    ]
    for cut in cuts {
      let peer = try WebPeer(retries: nil) { _ in cut }
      let failure = await failure { () async throws(Failure) in try await peer.call() }
      #expect(failure?.code == .toolFailed)
      #expect(failure?.kind == .unknownOutcome)
      #expect(peer.requests.count == 1)
    }
  }

  @Test func `a lost answer to a repeatable request is asked for again`() async throws {
    let count = Mutex(0)
    let peer = try WebPeer(retries: nil) { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 1 ? WebPeer.events("data: {\n") : WebPeer.result(request)
    }
    #expect(try await peer.ask("tools/list").result != nil)
    #expect(peer.requests.count == 2)
    #expect(Set(peer.requests.map(\.id)).count == 2)
  }

  @Test func `a server that is not there was sent nothing`() async throws {
    for url in ["http://127.0.0.1:1/mcp", "http://nobody.invalid/mcp"] {
      let channel = WebChannel(
        WebPlace(name: "mcp:test", url: url), retries: RetryPolicy(retries: 0))
      let request = MCPRequest(method: "tools/call", params: [:], name: "a", isRepeatable: false)
      let failure = await failure { () async throws(Failure) in
        try await channel.exchange(request, .modern, timeout: .seconds(600)) { _ in nil }
      }
      #expect(failure?.code == .networkUnavailable)
    }
  }

  @Test func `a call that was refused for now is sent again after the wait`() async throws {
    let refusals = Mutex(["429 No", "503 No", "429 No"])
    let peer = try WebPeer(retries: nil) { request in
      let refusal = refusals.withLock { $0.popLast() }
      return refusal.map { WebPeer.status($0, fields: "Retry-After: 0\n") }
        ?? WebPeer.result(request)
    }
    #expect(try await peer.call().result != nil)
    #expect(peer.requests.count == 4)
  }

  @Test func `refusals that last are the failures of the table`() async throws {
    let peer = try WebPeer(retries: nil) { _ in
      WebPeer.status("429 No", fields: "Retry-After: 0\n")
    }
    let limited = await failure { () async throws(Failure) in try await peer.call() }
    #expect(limited?.code == .rateLimited)
    #expect(peer.requests.count == 5)
    let later = try WebPeer(retries: nil) { _ in
      WebPeer.status("429 No", fields: "Retry-After: 3600\n")
    }
    let failure = await failure { () async throws(Failure) in try await later.call() }
    #expect(failure?.retryAfterSeconds == 3600)
    #expect(later.requests.count == 1)
  }

  @Test func `an answer that is not a message is invalid`() async throws {
    let answers = [
      WebPeer.status("200 OK", "text/html; charset=utf-8", "<p>Hello</p>"),
      WebPeer.status("200 OK", "application/json", "{"),
      WebPeer.events("data: hello\n\n"),
    ]
    for answer in answers {
      let peer = try WebPeer(retries: nil) { _ in answer }
      let failure = await failure { () async throws(Failure) in try await peer.call() }
      #expect(failure?.code == .invalidResponse)
      #expect(peer.requests.count == 1)
    }
    let other = try WebPeer { _ in WebPeer.status("200 OK", body: WebPeer.error("5", 1)) }
    #expect(
      await failure { () async throws(Failure) in try await other.ask("tools/list") }?.code
        == .invalidResponse)
  }

  @Test func `a message of more than 16 MiB is not read to its end`() async throws {
    let filler = [UInt8](repeating: 0x20, count: 1 << 20)
    for head in ["application/json\n\n", "text/event-stream\n\ndata: "] {
      let peer = try WebPeer { _ in
        Reply("HTTP/1.1 200 OK\nContent-Type: " + head, then: .repeated(filler))
      }
      let failure = await failure { () async throws(Failure) in try await peer.call() }
      #expect(failure?.code == .invalidResponse)
      #expect(failure?.kind == .tooLarge)
    }
  }

  @Test func `any bytes are an answer or a failure`() async throws {
    var random = SeededRandom(seed: 4)
    let pieces = [
      "data: ", "\n", "\n\n", "id: 1\n", "{", "}", #"{"jsonrpc":"2.0","id":1,"result":{}}"#, ":",
      "retry: 1\n", "[", "]", "null", "\u{0}", "é",
    ]
    let place = WebPlace(name: "mcp:test", url: "http://127.0.0.1/")
    for number in 0..<3000 {
      let type = number.isMultiple(of: 2) ? "text/event-stream" : "application/json"
      var answer = WebAnswer(from: place)
      let head = HTTPHead(status: 200, fields: [HTTPField("content-type", type)])
      #expect(try answer.read(.head(head)).isEmpty)
      for _ in 0..<Int.random(in: 0...9, using: &random) {
        let bytes =
          random.chance(5)
          ? (0..<9).map { _ in UInt8.random(in: 0...255, using: &random) }
          : Array(random.one(of: pieces, else: "").utf8)
        _ = try? answer.read(.body(bytes))
      }
      _ = try? answer.read(.end(HTTPTiming()))
    }
  }
}
