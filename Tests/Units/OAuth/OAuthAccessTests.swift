import Core
import Foundation
import HTTP
import Keys
import TestSupport
import Testing

@testable import OAuth

@Suite("The access to a protected resource")
struct OAuthAccessTests {
  @Test("without a login names the command")
  func loginRequired() async throws {
    let visit = try Visit(try OAuthServer())
    let failure = await #expect(throws: Failure.self) { try await visit.call() }
    #expect(failure?.code == .authExpired && failure?.kind == .loginRequired)
    #expect(failure?.action == "run 'tool-call login mcp:tracker'")
  }

  @Test("renews an expired token once for all that were refused")
  func renewal() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    try await visit.logIn()
    for round in 1...3 {
      let others = try (0..<16).map { _ in try Visit(server, in: visit.home) }
      for other in others { _ = try await other.access.authorization() }
      try await server.control(#"{"expire":true}"#)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for other in others { group.addTask { try await other.call() } }
        for try await status in group { #expect(status == 200) }
      }
      #expect(server.requests("/token").count == 1 + round)
    }
    let form = try #require(server.forms("/token").last)
    #expect(form.string("grant_type") == "refresh_token")
    #expect(form.string("resource") == server.resource)
  }

  @Test("never sends a refused refresh token again")
  func refusedRenewal() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    try await visit.logIn()
    try await server.control(#"{"expire":true,"refuse":true}"#)
    let others = try (0..<8).map { _ in try Visit(server, in: visit.home) }
    for other in others {
      let failure = await #expect(throws: Failure.self) { try await other.call() }
      #expect(failure?.code == .authExpired)
      #expect(failure?.nextStep == "run 'tool-call login mcp:tracker'")
    }
    #expect(server.requests("/token").count == 2)
    try await visit.logIn()
    #expect(try await visit.call() == 200)
  }

  @Test("keeps the login if the server fails for other reasons")
  func failedRenewal() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    try await visit.logIn()
    try await server.control(#"{"expire":true,"faults":{"/token":"html"}}"#)
    let failure = await #expect(throws: Failure.self) { try await visit.call() }
    #expect(failure?.code == .invalidResponse)
    try await server.control(#"{"faults":{}}"#)
    #expect(try await visit.call() == 200)
  }

  @Test("keeps a refresh token that the server does not rotate")
  func withoutRotation() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    try await visit.logIn()
    let first = try visit.secret()?.string("refresh")
    try await server.control(#"{"expire":true,"token":{"refresh_token":null}}"#)
    #expect(try await visit.call() == 200)
    #expect(try visit.secret()?.string("refresh") == first)
  }

  /// auth/scope-step-up.
  @Test("logs in once more for further scopes, and keeps those it had")
  func stepUp() async throws {
    let server = try OAuthServer(#"{"challenge":"Bearer scope=\"read\""}"#)
    var visit = try Visit(server)
    visit.joinPerson()
    #expect(try await visit.call() == 200)
    try await server.control(#"{"required":["write"]}"#)
    #expect(try await visit.call() == 200)
    #expect(server.forms("/authorize").map { $0.string("scope") } == ["read", "read write"])
  }

  @Test("without a person remembers the scopes for the next login")
  func laterStepUp() async throws {
    let server = try OAuthServer(#"{"challenge":"Bearer scope=\"read\""}"#)
    let visit = try Visit(server)
    try await visit.logIn()
    try await server.control(#"{"required":["write"]}"#)
    let failure = await #expect(throws: Failure.self) { try await visit.call() }
    #expect(failure?.code == .authExpired)
    try await visit.logIn()
    #expect(try await visit.call() == 200)
    #expect(server.forms("/authorize").last?.string("scope") == "read write")
  }

  /// auth/scope-retry-limit.
  @Test("does not log in twice for the same scopes")
  func retryLimit() async throws {
    let server = try OAuthServer(#"{"required":["admin"],"denies":true}"#)
    var visit = try Visit(server)
    visit.joinPerson()
    #expect(try await visit.call() == 403)
    let failure = await #expect(throws: Failure.self) { try await visit.call() }
    #expect(failure?.code == .permissionDenied && failure?.kind == .insufficientScope)
    #expect(server.requests("/authorize").count == 2)
  }

  @Test("bounds the scopes that a server may demand")
  func scopeGrowth() async throws {
    let server = try OAuthServer(#"{"challenge":"Bearer scope=\"read\""}"#)
    let visit = try Visit(server)
    try await visit.logIn()
    let access = visit.access
    let field = try await access.authorization()
    for round in 0..<10 {
      let names = (0..<100).map { "s\(round)-\($0)" }.joined(separator: " ")
      _ = try? await access.renewed(
        after: field, challenge: "Bearer error=\"insufficient_scope\", scope=\"\(names)\"")
    }
    try await visit.logIn()
    let scope = try #require(server.forms("/authorize").last?.string("scope"))
    #expect(scope.hasPrefix("read "))
    #expect(scope.split(separator: " ").count == Scopes.limit)
  }

  /// auth/authorization-server-migration.
  @Test("shows neither client nor token to the next authorization server")
  func migration() async throws {
    let server = try OAuthServer(#"{"registration":{"client_id":"first-only"}}"#)
    var visit = try Visit(server)
    visit.joinPerson()
    #expect(try await visit.call() == 200)
    try await server.control(
      #"{"expire":true,"issuerPath":"/second","registration":{"client_id":"second"},"#
        + #""metadataPath":"/.well-known/oauth-authorization-server/second"}"#)
    #expect(try await visit.call() == 200)
    #expect(server.forms("/authorize").map { $0.string("client_id") } == ["first-only", "second"])
    #expect(
      server.forms("/token").map { $0.string("grant_type") }
        == ["authorization_code", "authorization_code"])
  }

  @Test("does not show the configured client id to another authorization server")
  func configuredMigration() async throws {
    let server = try OAuthServer()
    var visit = try Visit(server)
    visit.identity.clientId = "assigned"
    try await visit.logIn()
    try await server.control(
      #"{"issuerPath":"/second","metadataPath":"/.well-known/oauth-authorization-server/second"}"#)
    #expect(await visit.refusal()?.kind == .issuerChanged)
    #expect(server.requests("/authorize").count == 1)
  }

  @Test("ends by revocation, and is deleted")
  func logout() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    try await visit.logIn()
    let field = try await visit.access.authorization()
    #expect(try await visit.login.logout())
    #expect(
      server.forms("/revoke").map { $0.string("token_type_hint") }
        == ["refresh_token", "access_token"])
    #expect(try await visit.head(field).status == 401)
    #expect(try visit.secret() == nil)
    #expect(try await visit.access.authorization() == nil)
    let failure = await #expect(throws: Failure.self) { try await visit.login.logout() }
    #expect(failure?.code == .notFound)
  }

  @Test("ends here even if the server cannot revoke", arguments: ["html", "loop"])
  func failedLogout(_ fault: String) async throws {
    let server = try OAuthServer(#"{"faults":{"/revoke":"\#(fault)"}}"#)
    let visit = try Visit(server)
    try await visit.logIn()
    // A page of HTML with status 200 is a confirmation: RFC 7009 ignores the body.
    #expect(try await visit.login.logout() == (fault == "html"))
    #expect(try visit.secret() == nil)
  }

  @Test("reports a secret that is not one of a login")
  func corrupt() async throws {
    let visit = try Visit(try OAuthServer())
    _ = try visit.keys.set("mcp-tracker", to: "no login")
    let failure = await #expect(throws: Failure.self) { try await visit.access.authorization() }
    #expect(failure?.code == .storageFailed && failure?.kind == .corrupt)
    #expect(failure?.explanation.contains("no login") == false)
    #expect(try await visit.login.logout() == false)
  }
}
