import Core
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@Suite struct SendingTests {
  private let client = HTTPClient()

  private func failure(_ request: HTTPRequest) async -> Failure? {
    await #expect(throws: Failure.self) { try await client.collect(request) }
  }

  @Test func `A request with an effect is not sent again when a kept connection is lost`()
    async throws
  {
    let requests = Mutex(0)
    let server = try LoopbackServer { _ in
      let number = requests.withLock { requests in
        requests += 1
        return requests
      }
      return number == 2
        ? Reply("") : Reply("HTTP/1.1 200 OK\nContent-Length: 0\n\n", then: .keep)
    }
    let request = HTTPRequest(url: server.url(), method: "POST", body: [0x61])
    _ = try await client.collect(request)
    #expect(await failure(request)?.kind == "reset")
    #expect(server.requests.count == 2)
  }

  @Test func `A request that was sent did find its peer, though it cannot be sent again`()
    async throws
  {
    // Whoever accepts twice takes the request on the kept connection, and is gone then.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    #expect(isBound)
    let port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      let connection = accept(listener, nil, nil)
      var buffer = [UInt8](repeating: 0, count: 4096)
      // The head and the body may come apart.
      var request: [UInt8] = []
      while request.suffix(5) != Array("\r\n\r\na".utf8)[...] {
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        request += buffer[..<count]
      }
      let reply = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
      _ = send(connection, reply, reply.count, 0)
      _ = recv(connection, &buffer, buffer.count, 0)
      close(listener)
      close(connection)
    }
    let request = HTTPRequest(url: "http://127.0.0.1:\(port)/", method: "POST", body: [0x61])
    // A connection that was left alone for two minutes is not used again.
    try await withTaskExecutorPreference(OwnThreads()) {
      _ = try await client.collect(request)
      let failure = await failure(request)
      #expect(failure?.kind == "reset", "\(String(describing: failure))")
    }
  }

  @Test func `A peer that is silent after an upload is so for the limit, not for twice of it`()
    async throws
  {
    let server = try LoopbackServer { _ in Reply("", then: .hold) }
    // Twice the silence would meet the limit of the whole first.
    let request = HTTPRequest(
      url: server.url(), method: "POST", body: [UInt8](repeating: 0x61, count: 100_000),
      timeouts: HTTPTimeouts(idle: 10, total: 19))
    #expect(await failure(request)?.kind == "idleTimeout")
  }
}
