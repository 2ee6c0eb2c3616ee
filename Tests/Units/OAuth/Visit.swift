import Core
import Foundation
import HTTP
import Keys
import Synchronization
import TestSupport

@testable import OAuth

/// A person with a key store of their own who visits a protected resource.
struct Visit {
  let server: OAuthServer
  let home: Home
  let keys: KeyStore
  var access: OAuthAccess
  var identity = OAuthIdentity()
  let interruption = Interruption()

  init(_ server: OAuthServer, in home: Home? = nil, policy: AddressPolicy = AddressPolicy()) throws
  {
    self.server = server
    self.home = try home ?? Home()
    keys = KeyStore(directories: self.home.directories, environment: [:], command: nil)
    access = OAuthAccess(
      keyName: "mcp-tracker", resource: server.resource, keys: keys,
      directories: self.home.directories, client: server.client, policy: policy)
  }

  /// The login at the resource.
  var login: OAuthLogin { OAuthLogin(access, as: identity) }

  /// A browser whose person grants everything: it follows the page's redirect.
  var browser: OAuthBrowser {
    .local { [client = server.client] page in
      Task {
        let answer = try await client.collect(HTTPRequest(url: page))
        guard let back = answer.head.value("location") else { return }
        _ = try await client.collect(HTTPRequest(url: back))
      }
    }
  }

  /// Logs in.
  func logIn(_ challenge: String? = nil) async throws(Failure) {
    try await login.login(challenge: challenge, with: browser, interruption)
  }

  /// Lets the access log in by itself from now on.
  mutating func joinPerson() {
    access.logIn = { [self] (challenge) async throws(Failure) in
      try await logIn(challenge)
      return true
    }
  }

  /// Logs in without a redirect: returns the redirect's address to the reader, changed.
  func logInElsewhere(_ change: @escaping @Sendable (String) -> String? = { $0 })
    async throws(Failure)
  {
    let (client, page) = (server.client, Shown())
    let browser = OAuthBrowser.elsewhere(
      show: { shown in page.text.withLock { $0 = shown } },
      read: { () async throws(Failure) in
        let page = page.text.withLock { $0 }
        return try await client.collect(HTTPRequest(url: page)).head.value("location")
          .flatMap(change)
      })
    try await login.login(with: browser, interruption)
  }

  /// Returns the failure of a login; nil if it succeeds.
  func refusal() async -> Failure? {
    do throws(Failure) {
      try await logIn()
      return nil
    } catch {
      return error
    }
  }

  /// Calls the resource as a channel does: once more after an expired token, and once more after
  /// one without the scopes.
  func call(_ access: OAuthAccess? = nil) async throws -> Int {
    let access = access ?? self.access
    var field = try await access.authorization()
    var head = try await head(field)
    for _ in 0..<2 where OAuthAccess.isChallenged(head) {
      field = try await access.renewed(after: field, challenge: BearerChallenge.field(of: head))
      head = try await self.head(field)
    }
    return head.status
  }

  /// Returns the head of the resource's answer to a request with the given field.
  func head(_ field: HTTPField?) async throws -> HTTPHead {
    let body = """
      {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{\
      "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
      "io.modelcontextprotocol/clientCapabilities":{},\
      "io.modelcontextprotocol/clientInfo":{"name":"t","version":"0"}}}}
      """
    let fields = [
      HTTPField("accept", "application/json, text/event-stream"),
      HTTPField("content-type", "application/json"), HTTPField("mcp-method", "tools/list"),
      HTTPField("mcp-protocol-version", "2026-07-28"),
    ]
    return try await server.client.collect(
      HTTPRequest(
        url: server.resource, method: "POST", fields: fields + (field.map { [$0] } ?? []),
        body: Array(body.utf8))
    ).head
  }

  /// The stored secret.
  func secret(_ name: String = "mcp-tracker") throws -> JSONObject? {
    try keys.find(name).flatMap { JSONObject($0.secret) }
  }
}

/// The address of a page that was shown.
private final class Shown: Sendable {
  let text = Mutex("")
}
