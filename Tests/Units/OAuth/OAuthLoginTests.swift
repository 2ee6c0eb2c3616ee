import Core
import Foundation
import HTTP
import Keys
import TestSupport
import Testing

@testable import OAuth

@Suite("A login at a protected resource")
struct OAuthLoginTests {
  @Test("registers a native client and gets a token by PKCE, for the resource")
  func flow() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    #expect(try await visit.access.authorization() == nil)
    try await visit.logIn()
    #expect(try await visit.call() == 200)

    let registration = try #require(server.forms("/register").first)
    #expect(registration.string("application_type") == "native")
    #expect(registration.strings("grant_types") == ["authorization_code", "refresh_token"])
    #expect(registration.string("token_endpoint_auth_method") == "none")
    let page = try #require(server.forms("/authorize").first)
    #expect(page.string("code_challenge_method") == "S256")
    #expect(page.string("resource") == server.resource)
    #expect(page.string("client_id") == "client-1")
    #expect(page.string("redirect_uri") == registration.strings("redirect_uris")?.first)
    #expect(page.string("state")?.count == 64)
    #expect(!page.has("scope"))
    let token = try #require(server.forms("/token").first)
    #expect(token.string("resource") == server.resource)
    #expect(token.string("client_id") == "client-1")
  }

  /// auth/metadata-default, auth/metadata-var1, auth/metadata-var2, auth/metadata-var3.
  @Test(
    "finds metadata where the specifications put it",
    arguments: [
      (#"{}"#, ["/.well-known/oauth-protected-resource/mcp"]),
      (
        #"{"challenge":null,"metadataPath":"/.well-known/openid-configuration"}"#,
        ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]
      ),
      (
        #"{"challenge":null,"resourcePath":"/.well-known/oauth-protected-resource","#
          + #""resource":{"resource":"{base}"},"issuerPath":"/tenant1","#
          + #""metadataPath":"/.well-known/oauth-authorization-server/tenant1"}"#,
        [
          "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource",
          "/.well-known/oauth-authorization-server/tenant1",
        ]
      ),
      (
        #"{"challenge":"Bearer resource_metadata=\"{base}/custom/metadata/location.json\"","#
          + #""resourcePath":"/custom/metadata/location.json","issuerPath":"/tenant1","#
          + #""metadataPath":"/tenant1/.well-known/openid-configuration"}"#,
        [
          "/custom/metadata/location.json", "/.well-known/oauth-authorization-server/tenant1",
          "/.well-known/openid-configuration/tenant1", "/tenant1/.well-known/openid-configuration",
        ]
      ),
    ])
  func places(_ behaviour: String, _ asked: [String]) async throws {
    let server = try OAuthServer(behaviour)
    let visit = try Visit(server)
    try await visit.logIn()
    #expect(try await visit.call() == 200)
    for path in asked { #expect(server.requests(path).count == 1, "\(path)") }
    if behaviour.contains("tenant1") {
      #expect(server.requests("/.well-known/oauth-authorization-server").isEmpty)
    }
  }

  /// auth/scope-from-www-authenticate, auth/scope-from-scopes-supported,
  /// auth/scope-omitted-when-undefined, auth/offline-access-scope, auth/offline-access-not-supported.
  @Test(
    "requests the scopes of the challenge, else those of the resource, else none",
    arguments: [
      (
        #"{"challenge":"Bearer scope=\"a b\"","resource":{"scopes_supported":["c"]}}"#, "a b"
      ),
      (#"{"resource":{"scopes_supported":["c","d"]}}"#, "c d"),
      (#"{"metadata":{"scopes_supported":["e"]}}"#, nil),
      (
        #"{"resource":{"scopes_supported":["c"]},"metadata":{"scopes_supported":["offline_access"]}}"#,
        "c offline_access"
      ),
      (#"{"resource":{"scopes_supported":["c"]},"metadata":{"scopes_supported":["c"]}}"#, "c"),
    ] as [(String, String?)])
  func scopes(_ behaviour: String, _ expected: String?) async throws {
    let server = try OAuthServer(behaviour)
    try await Visit(server).logIn()
    #expect(server.forms("/authorize").first?.string("scope") == expected)
  }

  /// auth/token-endpoint-auth-basic, auth/token-endpoint-auth-post, auth/token-endpoint-auth-none.
  @Test(
    "authenticates at the token endpoint as the server demands",
    arguments: ["client_secret_basic", "client_secret_post", "none"])
  func authentication(_ method: String) async throws {
    let secret = method == "none" ? "null" : #""s+/ secret""#
    let server = try OAuthServer(
      #"{"metadata":{"token_endpoint_auth_methods_supported":["\#(method)"]},"#
        + #""registration":{"client_secret":\#(secret)}}"#)
    let visit = try Visit(server)
    try await visit.logIn()
    let request = try #require(server.requests("/token").first)
    let form = try #require(request.object("form"))
    #expect(server.forms("/register").first?.string("token_endpoint_auth_method") == method)
    let basic = method == "client_secret_basic" ? ["client-1", "s+/ secret"] : nil
    #expect(request.strings("basic") == basic)
    #expect(form.string("client_secret") == (method == "client_secret_post" ? "s+/ secret" : nil))
    #expect(form.string("client_id") == "client-1")
  }

  /// auth/pre-registration.
  @Test("uses the client id of the configuration, with its secret from the key store")
  func preRegistration() async throws {
    let server = try OAuthServer(
      #"{"metadata":{"registration_endpoint":null,"#
        + #""token_endpoint_auth_methods_supported":["client_secret_basic"]}}"#)
    var visit = try Visit(server)
    visit.identity.clientId = "pre-registered"
    _ = try visit.keys.set("client-mcp-tracker", to: "pre-registered-secret")
    try await visit.logIn()
    #expect(
      server.requests("/token").first?.strings("basic")
        == ["pre-registered", "pre-registered-secret"])
    #expect(server.requests("/register").isEmpty)
  }

  /// auth/basic-cimd.
  @Test("uses the URL of its metadata where the server accepts one", arguments: [true, false])
  func metadataURL(_ isAccepted: Bool) async throws {
    let server = try OAuthServer(
      #"{"metadata":{"client_id_metadata_document_supported":\#(isAccepted)}}"#)
    var visit = try Visit(server)
    visit.identity.metadataURL = "https://client.example/metadata.json"
    try await visit.logIn()
    #expect(
      server.forms("/authorize").first?.string("client_id")
        == (isAccepted ? "https://client.example/metadata.json" : "client-1"))
    #expect(server.requests("/register").count == (isAccepted ? 0 : 1))
  }

  @Test("without any client id names the setting")
  func withoutClient() async throws {
    let server = try OAuthServer(#"{"metadata":{"registration_endpoint":null}}"#)
    let failure = try #require(await Visit(server).refusal())
    #expect(failure.code == .badConfiguration)
    #expect(failure.nextStep?.contains("'client_id'") == true)
  }

  @Test("reuses its registration, on the same port")
  func reuse() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    try await visit.logIn()
    try await visit.logIn()
    #expect(server.requests("/register").count == 1)
    let redirects = server.forms("/authorize").map { $0.string("redirect_uri") }
    #expect(redirects.count == 2 && redirects[0] == redirects[1])
  }

  @Test("registers again if the server has forgotten the client")
  func forgotten() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    try await visit.logIn()
    try await server.control(#"{"status":401,"token":{"error":"invalid_client"}}"#)
    #expect(await visit.refusal()?.kind == .invalidClient)
    try await server.control(#"{"status":200,"token":{}}"#)
    try await visit.logIn()
    #expect(server.requests("/register").count == 2)
  }

  /// auth/iss-supported and auth/iss-not-advertised.
  @Test(
    "accepts a redirect that names the issuer, and one that need not",
    arguments: [
      "{}",
      #"{"metadata":{"authorization_response_iss_parameter_supported":null},"redirect":{"iss":null}}"#,
    ])
  func issuer(_ behaviour: String) async throws {
    let visit = try Visit(try OAuthServer(behaviour))
    try await visit.logIn()
    #expect(try await visit.call() == 200)
  }

  @Test("without a browser here accepts the redirect's address")
  func elsewhere() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    try await visit.logInElsewhere { "  \($0)\n" }
    #expect(try await visit.call() == 200)
    let failure = await #expect(throws: Failure.self) {
      try await visit.logInElsewhere { $0.replacing("state=", with: "state=x") }
    }
    #expect(failure?.kind == .stateMismatch)
    let none = await #expect(throws: Failure.self) { try await visit.logInElsewhere { _ in nil } }
    #expect(none?.code == .authExpired)
  }

  @Test("stores tokens and registration as masked secrets, for one resource")
  func storage() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    try await visit.logIn()
    let field = try #require(try await visit.access.authorization())
    let secret = try #require(try visit.secret())
    let refresh = try #require(secret.string("refresh"))
    #expect(field.value == "Bearer " + (secret.string("access") ?? ""))
    #expect(!Secrets.shown("\(field.value) \(refresh)").contains(refresh))
    #expect(!Secrets.shown(field.value).contains(secret.string("access") ?? "-"))
    let other = OAuthAccess(
      keyName: "mcp-tracker", resource: server.base + "/other", keys: visit.keys,
      directories: visit.home.directories, client: server.client)
    #expect(try await other.authorization() == nil)
  }
}
