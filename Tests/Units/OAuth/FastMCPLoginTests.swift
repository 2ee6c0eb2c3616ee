import Core
import Foundation
import HTTP
import TestSupport
import Testing

@testable import OAuth

@Suite(
  "A login at fastmcp's OAuth provider",
  .enabled(if: OAuthServer.fastMCP != nil, "scripts/test installs fastmcp"))
struct FastMCPLoginTests {
  private func server() throws -> OAuthServer {
    try OAuthServer(try #require(OAuthServer.fastMCP), "oauth_mcp_server.py", [])
  }

  @Test("registers, authorizes, calls, renews once for 16, steps up and is revoked")
  func life() async throws {
    let server = try server()
    var visit = try Visit(server)
    #expect(try await visit.head(nil).status == 401)
    try await visit.logIn()
    #expect(try await visit.call() == 200)
    #expect(server.requests("/register").count == 1)

    let others = try (0..<16).map { _ in try Visit(server, in: visit.home) }
    for other in others { #expect(try await other.call() == 200) }
    try await server.control(#"{"expire":true}"#)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for other in others { group.addTask { try await other.call() } }
      for try await status in group { #expect(status == 200) }
    }
    #expect(server.requests("/token").count == 2)

    visit.joinPerson()
    try await server.control(#"{"require":["read","write"]}"#)
    #expect(try await visit.call() == 200)
    // The first registration was limited to the scopes that it named.
    #expect(server.requests("/register").count == 2)

    let field = try await visit.access.authorization()
    #expect(try await visit.login.logout())
    #expect(try await visit.head(field).status == 401)
    #expect(try visit.secret() == nil)
  }

  @Test("ends when the provider refuses to renew")
  func refused() async throws {
    let server = try server()
    let visit = try Visit(server)
    try await visit.logIn()
    try await server.control(#"{"expire":true,"refuse":true}"#)
    for _ in 0..<3 {
      let failure = await #expect(throws: Failure.self) { try await visit.call() }
      #expect(failure?.code == .authExpired)
    }
    #expect(server.requests("/token").count == 2)
  }
}
