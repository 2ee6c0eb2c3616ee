import Core
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Tools

/// The rows of the recovery table, by the requests that the server received.
@Suite struct ComposioRecoveryTests {
  /// A failed call: what the server does, and the failure.
  struct Row: CustomTestStringConvertible, Sendable {
    var fault: String
    var code: FailureCode
    var kind: FailureKind?
    var testDescription: String { fault }

    init(_ fault: String, _ code: FailureCode, _ kind: FailureKind? = nil) {
      (self.fault, self.code, self.kind) = (fault, code, kind)
    }
  }

  @Test(arguments: [
    Row(#""status":400"#, .badInput), Row(#""status":401"#, .missingAPIKey),
    Row(#""status":402"#, .quotaExhausted), Row(#""status":403"#, .permissionDenied),
    Row(#""status":422"#, .badInput),
    Row(#""status":400,"slug":"ToolRouterV2_ToolNotFound","code":4301"#, .notFound),
    Row(#""status":400,"code":4324"#, .permissionDenied),
    Row(#""status":503,"retryAfter":1"#, .overloaded), Row(#""status":529"#, .overloaded),
    Row(#""status":500"#, .toolFailed, "unknownOutcome"),
    Row(#""status":502"#, .toolFailed, "unknownOutcome"),
    Row(#""status":503"#, .toolFailed, "unknownOutcome"),
    Row(#""status":504"#, .toolFailed, "unknownOutcome"),
    Row(#""drop":true"#, .toolFailed, "unknownOutcome"),
    Row(#""cut":true"#, .toolFailed, "unknownOutcome"),
    Row(#""body":"{\"data\"""#, .toolFailed, "unknownOutcome"),
    Row(#""body":"[]""#, .toolFailed, "unknownOutcome"),
    Row(#""body":"{}""#, .toolFailed, "unknownOutcome"),
    Row(#""body":"{\"data\":[],\"error\":null}""#, .toolFailed, "unknownOutcome"),
    Row(#""status":429,"retryAfter":601"#, .rateLimited),
  ])
  func `a call that fails otherwise is sent once`(row: Row) async throws {
    let server = try ComposioServer(#"{"execute":[{\#(row.fault)}]}"#)
    let failure = await server.failure()
    #expect(failure?.code == row.code)
    #expect(failure?.kind == row.kind)
    #expect(server.count("execute") == 1)
    #expect(server.waits.withLock { $0 } == [])
  }

  @Test func `a reused connection that is closed does not send a call twice`() async throws {
    let server = try ComposioServer(#"{"execute":[null,{"drop":true}]}"#)
    let source = server.source()
    _ = try await server.call(source)
    #expect(await server.failure(source)?.kind == "unknownOutcome")
    #expect(server.count("execute") == 2)
  }

  @Test func `a limited rate is waited for, at most five requests in all`() async throws {
    let limit = #"{"status":429}"#
    let server = try ComposioServer(
      #"{"execute":[\#(Array(repeating: limit, count: 9).joined(separator: ","))]}"#)
    #expect(await server.failure()?.code == .rateLimited)
    #expect(server.count("execute") == 5)
    let waits = server.waits.withLock { $0 }
    #expect(waits.count == 4)
    for (wait, least) in zip(waits, [5.0, 10, 20, 40]) {
      #expect((least...least * 1.25).contains(wait))
    }
    // The next call is a request of its own.
    #expect(await server.failure(server.source(server.router(retries: 0)))?.code == .rateLimited)
    #expect(server.count("execute") == 6)
    _ = try await server.call()
    #expect(server.count("execute") == 10)
  }

  @Test func `the wait that the server asks for is kept`() async throws {
    let server = try ComposioServer(
      #"{"create":[{"status":429,"retryAfter":7}],"execute":[{"status":429,"retryAfter":0}]}"#)
    _ = try await server.call()
    #expect(server.waits.withLock { $0 } == [7, 0])
    #expect(server.calls == ["create", "create", "execute", "execute"])
  }

  @Test func `a server that is away is asked twice, two seconds apart`() async throws {
    let server = try ComposioServer()
    _ = try await server.call()
    // Nothing listens on the reserved port 1.
    let source = server.source(server.router("http://127.0.0.1:1"))
    let failure = await server.failure(source)
    #expect(failure?.code == .networkUnavailable)
    let waits = server.waits.withLock { $0 }
    #expect(waits.count == 1)
    #expect(waits.allSatisfy { (2...2.5).contains($0) })
    let hasty = server.source(server.router("http://127.0.0.1:1", retries: 0))
    #expect(await server.failure(hasty)?.code == .networkUnavailable)
    #expect(server.waits.withLock { $0.count } == 1)
  }

  @Test func `a lost answer repeats what only reads, and nothing else`() async throws {
    let server = try ComposioServer(
      #"{"tools":[{"drop":true}],"search":[{"drop":true}],"link":[{"drop":true}]}"#)
    let source = server.source()
    _ = try await source.tools(fresh: true)
    #expect(server.count("tools") == 2)
    await #expect(throws: Failure.self) { _ = try await source.search("mail") }
    #expect(server.count("search") == 1)
    await #expect(throws: Failure.self) { _ = try await source.link("gmail") }
    #expect(server.count("link") == 1)
  }

  @Test func `without a person a toolkit that is not connected is a link`() async throws {
    let server = try ComposioServer("{}", [])
    let failure = try #require(await server.failure(nil, "GOOGLE_MAPS_LIST_PLACES"))
    #expect(failure.code == .authExpired)
    #expect(failure.kind == "notConnected")
    #expect(failure.url == server.base + "/link/google_maps")
    #expect(server.calls == ["create", "execute", "tool", "link"])
  }

  @Test func `a person who connects the toolkit continues the call`() async throws {
    let server = try ComposioServer("{}", [])
    let source = server.source { (toolkit, link) async throws(Failure) in
      #expect(toolkit == "gmail")
      return await server.open(link)
    }
    #expect(try await server.call(source).logId == "log_1")
    #expect(server.count("execute") == 2)
    #expect(server.count("link") == 1)
  }

  @Test(arguments: [(true, 3, 2), (false, 1, 1)])
  func `a person who does not connect the toolkit is asked twice at most`(
    answer: Bool, calls: Int, links: Int
  ) async throws {
    let server = try ComposioServer("{}", [])
    let source = server.source { (_, _) async throws(Failure) in answer }
    let failure = await server.failure(source)
    #expect(failure?.code == .authExpired)
    #expect(failure?.url == server.base + "/link/gmail")
    #expect(server.count("execute") == calls)
    #expect(server.count("link") == links)
  }

  @Test func `a login waits until the toolkit is connected`() async throws {
    let server = try ComposioServer("{}", [])
    let source = server.source()
    let link = try await source.link("gmail")
    await #expect(throws: Failure.self) { try await source.waitForConnection("gmail", link) }
    #expect(server.count("toolkits") == 200)
    #expect(await server.open(link))
    try await source.waitForConnection("gmail", link)
    #expect(server.count("toolkits") == 201)
  }
}
