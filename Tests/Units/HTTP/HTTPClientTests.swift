import Core
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@Suite struct HTTPClientTests {
  private let client = HTTPClient()

  private func failure(_ request: HTTPRequest) async -> Failure? {
    await #expect(throws: Failure.self) { try await client.collect(request) }
  }

  @Test func `A body with a length is collected`() async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 200 OK\nContent-Length: 5\nX-A: b\n\nhello", then: .keep)
    }
    let response = try await client.collect(HTTPRequest(url: server.url()))
    #expect(response.head.status == 200)
    #expect(response.head.value("x-a") == "b")
    #expect(response.body == Array("hello".utf8))
    #expect(response.timing.wireBytes == 5)
    #expect(response.timing.remoteAddress == "127.0.0.1")
  }

  @Test func `A chunked body is joined and its trailers are left out`() async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 404 No\nTransfer-Encoding: chunked\n\n3\nabc\n2\nde\n0\nX-T: 1\n\n")
    }
    let response = try await client.collect(HTTPRequest(url: server.url()))
    #expect(response.head.status == 404)
    #expect(response.head.value("x-t") == nil)
    #expect(response.body == Array("abcde".utf8))
  }

  @Test func `A connection is used again`() async throws {
    let clock = ContinuousClock()
    while true {
      let server = try LoopbackServer { _ in
        Reply("HTTP/1.1 200 OK\nContent-Length: 0\n\n", then: .keep)
      }
      let taken = try await clock.measure {
        for _ in 0..<3 { _ = try await client.collect(HTTPRequest(url: server.url())) }
      }
      // libcurl lets go of one that was idle for two minutes, as a starved machine may leave it:
      // such a turn shows nothing, and is taken again.
      guard taken < .seconds(100) else { continue }
      return #expect(server.connections == 1)
    }
  }

  @Test func `The request is sent as it was given, and nothing is added to it`() async throws {
    let server = try LoopbackServer { _ in Reply("HTTP/1.1 200 OK\nContent-Length: 0\n\n") }
    let request = HTTPRequest(
      url: server.url("/p?q"), method: "PUT",
      fields: [HTTPField("X-Empty", ""), HTTPField("Accept", "x/y")], body: Array("a\0b".utf8))
    _ = try await client.collect(request)
    #expect(
      server.requests == [
        """
        PUT /p?q HTTP/1.1\r
        Host: 127.0.0.1:\(server.port)\r
        Accept-Encoding: deflate, gzip, br, zstd\r
        X-Empty:\r
        Accept: x/y\r
        Content-Length: 3\r
        \r
        a\0b
        """
      ])
  }

  @Test func `A post without a body has the length zero`() async throws {
    let server = try LoopbackServer { _ in Reply("HTTP/1.1 200 OK\nContent-Length: 0\n\n") }
    _ = try await client.collect(HTTPRequest(url: server.url(), method: "POST"))
    #expect(server.requests.first?.hasPrefix("POST / HTTP/1.1\r\n") == true)
    #expect(server.requests.first?.contains("\r\nContent-Length: 0\r\n") == true)
  }

  @Test func `The head of a HEAD request has no body`() async throws {
    let server = try LoopbackServer { _ in Reply("HTTP/1.1 200 OK\nContent-Length: 9\n\n") }
    let response = try await client.collect(HTTPRequest(url: server.url(), method: "HEAD"))
    #expect(response.head.value("content-length") == "9")
    #expect(response.body == [])
  }

  @Test func `A redirect is an answer and not followed`() async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 302 Found\nLocation: /b\nContent-Length: 0\n\n")
    }
    let response = try await client.collect(HTTPRequest(url: server.url()))
    #expect(response.head.status == 302)
    #expect(server.requests.count == 1)
  }

  @Test func `Interim answers are skipped`() async throws {
    let server = try LoopbackServer { _ in
      Reply(
        "HTTP/1.1 100 Continue\n\nHTTP/1.1 103 Early Hints\nLink: x\n\n"
          + "HTTP/1.1 200 OK\nContent-Length: 1\n\nx")
    }
    let response = try await client.collect(HTTPRequest(url: server.url()))
    #expect(response.head == HTTPHead(status: 200, fields: [HTTPField("Content-Length", "1")]))
  }

  @Test(arguments: [
    ("HTTP/1.1 101 Switching Protocols\nUpgrade: x\n\n<p>text", "protocol"),
    ("HTTP/1.1 000 None\nContent-Length: 1\n\nx", "protocol"),
    ("HTTP/1.1 103 Early Hints\nLink: x\n\n", "reset"), ("<p>text", "protocol"),
  ])
  func `What has no final status is no answer`(text: String, kind: String) async throws {
    let server = try LoopbackServer { _ in Reply(text) }
    let failure = await failure(HTTPRequest(url: server.url()))
    #expect(failure?.kind?.rawValue == kind)
    #expect(failure?.code == (kind == "reset" ? .networkUnavailable : .invalidResponse))
  }

  @Test func `Interim answers without end are refused`() async throws {
    let server = try LoopbackServer { _ in
      Reply("", then: .repeated(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)))
    }
    let failure = await failure(HTTPRequest(url: server.url()))
    #expect(failure?.code == .invalidResponse)
    #expect(failure?.kind == "protocol")
  }

  @Test func `An endless header is refused`() async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 200 OK\n", then: .repeated(Array("X-Y: 0123456789\r\n".utf8)))
    }
    let failure = await failure(HTTPRequest(url: server.url()))
    #expect(failure?.kind == "protocol")
  }

  @Test(arguments: ["hello there\n", "HTTP/1.1 abc\n\n", "HTTP/1.1 200 OK\nContent-Length: -5\n\n"])
  func `What is not HTTP is an invalid response`(text: String) async throws {
    let server = try LoopbackServer { _ in Reply(text) }
    let failure = await failure(HTTPRequest(url: server.url()))
    #expect(failure?.code == .invalidResponse)
    #expect(failure?.kind == "protocol")
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\nContent-Length: 10\n\nabc",
    "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nab",
  ])
  func `A cut body is delivered, then fails`(text: String) async throws {
    let server = try LoopbackServer { _ in Reply(text) }
    var received: [UInt8] = []
    let failure = await #expect(throws: Failure.self) {
      for try await event in client.stream(HTTPRequest(url: server.url())) {
        if case .body(let bytes) = event { received += bytes }
      }
    }
    #expect(failure?.kind == "shortBody")
    #expect(failure?.code == .invalidResponse)
    #expect(received.starts(with: Array("ab".utf8)))
  }

  @Test func `A gzip body is decoded`() async throws {
    let body = gzipOfZeros(258 * 4 + 1)
    let server = try LoopbackServer { _ in
      Reply(
        "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(body.count)\n\n", body: body)
    }
    let response = try await client.collect(HTTPRequest(url: server.url()))
    #expect(response.body == [UInt8](repeating: 0, count: 1033))
    #expect(response.timing.wireBytes == body.count)
  }

  @Test func `A gzip bomb ends at the cap, with the bytes up to it`() async throws {
    let body = gzipOfZeros(258 * 20_000 + 1)
    let server = try LoopbackServer { _ in
      Reply(
        "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(body.count)\n\n", body: body)
    }
    var count = 0
    let failure = await #expect(throws: Failure.self) {
      let request = HTTPRequest(url: server.url(), maximumBodyBytes: 100_000)
      for try await event in client.stream(request) {
        if case .body(let bytes) = event { count += bytes.count }
      }
    }
    #expect(failure?.code == .pageRefused)
    #expect(failure?.kind == "tooLarge")
    #expect(count == 100_000)
  }

  @Test func `A bomb without a cap waits for its slow reader`() async throws {
    let body = gzipOfZeros(258 * 12_000 + 1)
    let server = try LoopbackServer { _ in
      Reply(
        "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(body.count)\n\n", body: body)
    }
    var count = 0
    for try await event in client.stream(HTTPRequest(url: server.url())) {
      if case .body(let bytes) = event { count += bytes.count }
      await Task.yield()
    }
    #expect(count == 258 * 12_000 + 1)
  }

  @Test func `An encoding that is none fails as such`() async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 5\n\nhello")
    }
    let failure = await failure(HTTPRequest(url: server.url()))
    #expect(failure?.kind == "decode")
  }

  @Test func `A body of exactly the cap is whole`() async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello")
    }
    let request = HTTPRequest(url: server.url(), maximumBodyBytes: 5)
    #expect(try await client.collect(request).body.count == 5)
  }

  @Test func `An endless body ends at the cap on the network`() async throws {
    let block = Array("8000\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x8000) + [0x0D, 0x0A]
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n", then: .repeated(block))
    }
    let request = HTTPRequest(url: server.url(), maximumWireBytes: 1_000_000)
    #expect(await failure(request)?.kind == "tooLarge")
  }

  @Test func `A peer that falls silent times out`() async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 200 OK\nContent-Length: 10\n\nabc", then: .hold)
    }
    var closings = server.closings.makeAsyncIterator()
    let request = HTTPRequest(url: server.url(), timeouts: HTTPTimeouts(idle: 0.1))
    let failure = await failure(request)
    #expect(failure?.code == .timeout)
    #expect(failure?.kind == "idleTimeout")
    await closings.next()
  }

  @Test func `A peer that takes too long in all times out`() async throws {
    let server = try LoopbackServer { _ in Reply("HTTP/1.1 200 OK\n\n", then: .repeated([0x61])) }
    let request = HTTPRequest(url: server.url(), timeouts: HTTPTimeouts(total: 3))
    let failure = await failure(request)
    #expect(failure?.code == .timeout)
    #expect(failure?.kind == "tooSlow")
  }

  @Test func `A peer that does not answer times out`() async throws {
    let server = try LoopbackServer { _ in Reply("", then: .hold) }
    let request = HTTPRequest(url: server.url(), timeouts: HTTPTimeouts(total: 3))
    let failure = await failure(request)
    #expect(failure?.code == .timeout)
    #expect(failure?.kind == "totalTimeout")
  }

  @Test func `A port without a listener is a network failure`() async throws {
    let port = try LoopbackServer { _ in Reply("") }.port
    let failure = await failure(HTTPRequest(url: "http://127.0.0.1:\(port)/?secret"))
    #expect(failure?.code == .networkUnavailable)
    #expect(failure?.url == "http://127.0.0.1:\(port)/")
    #expect(failure?.cause?.contains("secret") == false)
  }

  @Test func `A connection closed without an answer is a network failure`() async throws {
    let server = try LoopbackServer { _ in Reply("") }
    let failure = await failure(HTTPRequest(url: server.url()))
    #expect(failure?.code == .networkUnavailable)
    #expect(failure?.kind == "reset")
  }

  @Test func `A server without TLS is not spoken to in the clear`() async throws {
    let server = try LoopbackServer(greeting: "220 no TLS here\r\n") { _ in Reply("") }
    let failure = await failure(HTTPRequest(url: server.url(scheme: "https")))
    #expect(failure?.code == .networkUnavailable)
    #expect(failure?.kind == "tls")
    #expect(server.requests.isEmpty)
  }

  @Test func `A header that breaks the line is never sent`() async throws {
    let server = try LoopbackServer { _ in Reply("HTTP/1.1 200 OK\nContent-Length: 0\n\n") }
    let request = HTTPRequest(url: server.url(), fields: [HTTPField("X", "a\r\nY: secret")])
    let failure = await failure(request)
    #expect(failure?.code == .badInput)
    #expect(failure?.explanation.contains("secret") == false)
    #expect(server.connections == 0)
  }

  @Test(arguments: [
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "localhost", "[::ffff:7f00:1]",
  ])
  func `The guard keeps every packet from an address`(host: String) async throws {
    let server = try LoopbackServer { _ in Reply("HTTP/1.1 200 OK\nContent-Length: 0\n\n") }
    let seen = Mutex<[SocketAddress]>([])
    let request = HTTPRequest(url: "http://\(host):\(server.port)/") { address in
      seen.withLock { $0.append(address) }
      return "it is this machine's own"
    }
    let failure = await failure(request)
    #expect(failure?.code == .pageRefused)
    #expect(failure?.kind == "blockedAddress")
    #expect(failure?.explanation.hasSuffix("it is this machine's own") == true)
    #expect(seen.withLock { $0.allSatisfy { $0.port == server.port } && !$0.isEmpty })
    #expect(server.connections == 0)
  }

  @Test func `The guard judges a connection that an unguarded request left`() async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 200 OK\nContent-Length: 0\n\n", then: .keep)
    }
    _ = try await client.collect(HTTPRequest(url: server.url()))
    let failure = await failure(HTTPRequest(url: server.url()) { _ in "it is private" })
    #expect(failure?.kind == "blockedAddress")
    #expect(server.requests.count == 1)
  }

  @Test func `An address that the guard allows is fetched`() async throws {
    let server = try LoopbackServer { _ in Reply("HTTP/1.1 200 OK\nContent-Length: 0\n\n") }
    let request = HTTPRequest(url: server.url()) { _ in nil }
    #expect(try await client.collect(request).head.status == 200)
  }

  @Test func `Cancelling ends the transfer`() async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 200 OK\nContent-Length: 10\n\nabc", then: .hold)
    }
    var closings = server.closings.makeAsyncIterator()
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let reader = Task {
      for try await _ in client.stream(HTTPRequest(url: server.url())) { arrival.yield() }
    }
    for await _ in arrivals { break }
    reader.cancel()
    await closings.next()
    _ = await reader.result
  }

  @Test func `A cancelled collection is interrupted`() async throws {
    let server = try LoopbackServer { _ in Reply("HTTP/1.1 200 OK\n\n", then: .hold) }
    let reader = Task { try await client.collect(HTTPRequest(url: server.url())) }
    reader.cancel()
    let failure = await #expect(throws: Failure.self) { try await reader.value }
    #expect(failure?.code == .interrupted)
  }

  @Test func `Dropping the stream ends the transfer`() async throws {
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 200 OK\n\n", then: .repeated([0x61]))
    }
    var closings = server.closings.makeAsyncIterator()
    for try await _ in client.stream(HTTPRequest(url: server.url())) { break }
    await closings.next()
  }

  @Test func `A slow reader gets every byte of a large body`() async throws {
    let body = (0..<(12 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let server = try LoopbackServer { _ in
      Reply("HTTP/1.1 200 OK\nContent-Length: \(body.count)\n\n", body: body)
    }
    var received: [UInt8] = []
    for try await event in client.stream(HTTPRequest(url: server.url())) {
      guard case .body(let bytes) = event else { continue }
      received += bytes
      await Task.yield()
    }
    #expect(received == body)
  }

  @Test func `Five hundred requests run at once`() async throws {
    var limit = rlimit()
    _ = getrlimit(openFiles, &limit)
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(openFiles, &limit)
    let server = try LoopbackServer { request in
      let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
      return Reply("HTTP/1.1 200 OK\nContent-Length: \(path.utf8.count)\n\n\(path)", then: .keep)
    }
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for index in 0..<500 {
        group.addTask { try await client.collect(HTTPRequest(url: server.url("/\(index)"))).body }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(bodies == Set((0..<500).map { Array("/\($0)".utf8) }))
  }
}

#if os(Linux)
  private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  private let openFiles = RLIMIT_NOFILE
#endif
