import Core
import Foundation
import HTTP
import Synchronization
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

  @Test func `A peer that is silent after an upload is so for the limit, not for twice of it`()
    async throws
  {
    let server = try LoopbackServer { _ in Reply("", then: .hold) }
    // Twice the silence would meet the limit of the whole first.
    let request = HTTPRequest(
      url: server.url(), method: "POST", body: [UInt8](repeating: 0x61, count: 100_000),
      timeouts: HTTPTimeouts(idle: 1, total: 1.9))
    #expect(await failure(request)?.kind == "idleTimeout")
  }
}
