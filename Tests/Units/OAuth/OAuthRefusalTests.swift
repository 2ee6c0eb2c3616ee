import Core
import Foundation
import HTTP
import Keys
import TestSupport
import Testing

@testable import OAuth

@Suite("A login that breaks a rule")
struct OAuthRefusalTests {
  /// auth/metadata-issuer-mismatch, auth/resource-mismatch.
  @Test(
    "ends before the page is opened",
    arguments: [
      (#"{"metadata":{"issuer":"https://attacker.example.com"}}"#, FailureKind.issuerMismatch),
      (#"{"metadata":{"issuer":"{base}/"}}"#, .issuerMismatch),
      (#"{"metadata":{"issuer":null}}"#, .issuerMismatch),
      (#"{"metadata":{"code_challenge_methods_supported":null}}"#, .withoutProofKey),
      (#"{"metadata":{"code_challenge_methods_supported":["plain"]}}"#, .withoutProofKey),
      (#"{"metadata":{"token_endpoint":"http://10.0.0.1/token"}}"#, .insecureURL),
      (#"{"metadata":{"authorization_endpoint":"file:///etc/passwd"}}"#, .insecureURL),
      (#"{"metadata":{"authorization_endpoint":"https://169.254.169.254/"}}"#, .blockedAddress),
      (#"{"metadata":{"registration_endpoint":"https://169.254.169.254/"}}"#, .blockedAddress),
      (#"{"metadata":{"token_endpoint":null}}"#, .malformed),
      (#"{"resource":{"resource":"https://evil.example.com/mcp"}}"#, .resourceMismatch),
      (#"{"resource":{"resource":"{base}/mcp/other"}}"#, .resourceMismatch),
      (#"{"resource":{"resource":"{base}"}}"#, .resourceMismatch),
      (#"{"resource":{"resource":null}}"#, .resourceMismatch),
      (#"{"resource":{"authorization_servers":[]}}"#, .malformed),
      (#"{"resource":{"authorization_servers":["http://10.0.0.1"]}}"#, .insecureURL),
      (#"{"challenge":"Bearer resource_metadata=\"http://10.0.0.1/\""}"#, .insecureURL),
      (
        #"{"challenge":"Bearer resource_metadata=\"https://169.254.169.254/\""}"#, .blockedAddress
      ),
      (#"{"faults":{"/.well-known/oauth-authorization-server":"endless"}}"#, .tooLarge),
      (#"{"faults":{"/.well-known/oauth-protected-resource/mcp":"large"}}"#, .tooLarge),
      (#"{"faults":{"/register":"html"}}"#, .malformed),
      (#"{"registration":{"client_id":null}}"#, .malformed),
    ])
  func before(_ behaviour: String, _ kind: FailureKind) async throws {
    let server = try OAuthServer(behaviour)
    let failure = try await Visit(server).refusal()
    #expect(failure?.kind == kind, "\(failure?.explanation ?? "no failure")")
    #expect(server.requests("/authorize").isEmpty)
  }

  @Test(
    "does not follow redirects, and reads no HTML",
    arguments: ["loop", "html"])
  func elsewhere(_ fault: String) async throws {
    let server = try OAuthServer(
      #"{"faults":{"/.well-known/oauth-authorization-server":"\#(fault)"}}"#)
    #expect(try await Visit(server).refusal()?.code == .notFound)
    #expect(server.requests("/.well-known/oauth-authorization-server").count == 1)
  }

  /// auth/iss-supported-missing, auth/iss-wrong-issuer, auth/iss-unexpected, auth/iss-normalized.
  @Test(
    "ends before the code is sent if the redirect names another issuer",
    arguments: [
      #"{"redirect":{"iss":null}}"#, #"{"redirect":{"iss":"https://evil.example.com"}}"#,
      #"{"redirect":{"iss":"{base}/"}}"#,
      #"{"redirect":{"iss":"https://evil.example.com","code":null,"error":"<shown>"}}"#,
      #"{"metadata":{"authorization_response_iss_parameter_supported":null},"#
        + #""redirect":{"iss":"https://evil.example.com"}}"#,
    ])
  func issuer(_ behaviour: String) async throws {
    let server = try OAuthServer(behaviour)
    let failure = try await Visit(server).refusal()
    #expect(failure?.kind == .issuerMismatch)
    #expect(failure?.explanation.contains("shown") == false)
    #expect(server.requests("/token").isEmpty)
  }

  @Test("shows the reason of a refusal on one line")
  func denied() async throws {
    let server = try OAuthServer(
      #"{"redirect":{"code":null,"error":"access_denied","error_description":"No\u001b[31m\nway"}}"#
    )
    let failure = try #require(await Visit(server).refusal())
    #expect(failure.code == .permissionDenied)
    #expect(failure.explanation.contains("No"))
    #expect(!failure.explanation.contains("\u{1B}") && !failure.explanation.contains("\n"))
  }

  @Test("of another login leaves the wait going")
  func otherState() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    let browser = OAuthBrowser.local { page in
      Task {
        let back = try await server.client.collect(HTTPRequest(url: page)).head.value("location")
        guard let back else { return }
        let wrong = back.replacing("state=", with: "state=0")
        let twice = back + "&state=0"
        let refused = [wrong, twice, "http://127.0.0.1" + wrong.dropFirst(16).prefix { $0 != "?" }]
        for address in refused {
          let head = try await server.client.collect(HTTPRequest(url: address)).head
          #expect(head.status == 400)
        }
        _ = try await server.client.collect(HTTPRequest(url: back))
      }
    }
    try await visit.login.login(with: browser, visit.interruption)
    #expect(try await visit.call() == 200)
  }

  @Test(
    "takes no token that a field cannot carry",
    arguments: [
      #"{"token_type":"mac"}"#, #"{"token_type":null}"#, #"{"access_token":null}"#,
      #"{"access_token":""}"#, #"{"access_token":"a b"}"#, #"{"access_token":"a\r\nb: c"}"#,
      #"{"access_token":"é"}"#, #"{"refresh_token":"a b"}"#, #"{"access_token":["a"]}"#,
    ])
  func token(_ members: String) async throws {
    let server = try OAuthServer(#"{"token":\#(members)}"#)
    let visit = try Visit(server)
    let failure = await visit.refusal()
    #expect(failure?.code == .invalidResponse && failure?.kind == .malformed)
    #expect(try visit.secret() == nil)
  }

  @Test(
    "reports what the token endpoint refuses",
    arguments: [
      (400, "invalid_grant", FailureCode.authExpired), (400, "invalid_scope", .permissionDenied),
      (401, "invalid_client", .permissionDenied), (200, "server_error", .permissionDenied),
    ])
  func refused(_ status: Int, _ word: String, _ code: FailureCode) async throws {
    let server = try OAuthServer(#"{"status":\#(status),"token":{"error":"\#(word)"}}"#)
    let failure = try await Visit(server).refusal()
    #expect(failure?.code == code)
    #expect(failure?.explanation.contains(word) == true)
    #expect(server.requests("/token").count == 1)
  }

  @Test("at a resource without TLS on another machine is a wrong configuration")
  func insecure() async throws {
    let server = try OAuthServer()
    let visit = try Visit(server)
    let access = OAuthAccess(
      keyName: "mcp-x", resource: "http://mcp.example.com/", keys: visit.keys,
      directories: visit.home.directories, client: server.client)
    let failure = await #expect(throws: Failure.self) {
      try await OAuthLogin(access).login(with: visit.browser, visit.interruption)
    }
    #expect(failure?.code == .badConfiguration && failure?.kind == .insecureURL)
  }

  @Test("never requests addresses that are not public for a public resource")
  func addresses() async throws {
    let client = HTTPClient()
    let resource = try #require(ServerURL("https://mcp.example.com/mcp"))
    let server = try LoopbackServer { _ in Reply("HTTP/1.1 200 OK\ncontent-length: 2\n\n{}") }
    for address in [server.url(), "https://10.1.2.3/", "https://[fd00::1]/", "https://localhost/"] {
      let url = try #require(ServerURL(address))
      let peer = OAuthPeer(client: client, policy: AddressPolicy(), resource: resource)
      let read = await #expect(throws: Failure.self) { _ = try await peer.metadata(url) }
      #expect(read?.code == .permissionDenied && read?.kind == .blockedAddress, "\(address)")
      let judged = await #expect(throws: Failure.self) { try await peer.judge(url) }
      #expect(judged?.kind == .blockedAddress)
    }
    #expect(server.requests.isEmpty)
    let allowed = OAuthPeer(
      client: client, policy: AddressPolicy(allowPrivate: true), resource: resource)
    #expect(try await allowed.metadata(try #require(ServerURL(server.url()))) != nil)
  }
}
