public import Core
import Foundation
public import HTTP
public import HubWords
public import Keys
import Synchronization

/// A client of one hub.
///
/// It sends JSON requests with the stored tokens.
///
/// If a token has expired, one process renews it for all processes.
public struct HubPeer: Sendable {
  /// The hub.
  public let hub: HubChoice
  private let place: HubTokenPlace
  /// The tokens of the last request.
  ///
  /// They are remembered because a look-up in the key store may start a program.
  private let known = KnownTokens()
  let client: HTTPClient
  /// The time limits of a request.
  public var timeouts = HTTPTimeouts(connect: 5, idle: 30, total: 60)
  /// The largest response that is read, in bytes.
  static let longestAnswer = 64 << 20
  static let blocking = Blocking("hub.tokens")

  /// Creates a client without contacting the hub.
  ///
  /// - Parameters:
  ///   - hub: The hub.
  ///   - group: The hubs that share its records, including the hub itself; empty for one hub.
  ///   - keys: The store of the hub's tokens.
  ///   - directories: The directories with the operator's token and the locks.
  ///   - client: The HTTP client.
  public init(
    _ hub: HubChoice, of group: [HubChoice] = [], keys: KeyStore, directories: Directories,
    client: HTTPClient = HTTPClient()
  ) {
    self.hub = hub
    self.client = client
    place = HubTokenPlace(hub, of: group, keys: keys, directories: directories)
  }

  /// Creates a client for the hub that the given word names.
  ///
  /// - Parameters:
  ///   - word: The URL of the hub, or its name in the configuration.
  ///   - settings: The configuration.
  ///   - keys: The store of the hub's tokens.
  ///   - directories: The directories with the operator's token and the locks.
  /// - Throws: As `HubChoice.named`.
  public init(
    named word: String, in settings: Settings, keys: KeyStore, directories: Directories
  ) throws(Failure) {
    self.init(
      try HubChoice.named(word, among: settings.hubs), keys: keys, directories: directories)
  }

  /// Returns `true` if the hub uses the same directories, and so the same store, as this process.
  ///
  /// - Throws: As `KeyStore.find` and `OwnerToken`.
  func isOwn() throws(Failure) -> Bool { try place.isOwn() }

  // MARK: Requests to the API

  /// Sends a GET request.
  ///
  /// - Parameters:
  ///   - path: A path such as `/v1/overview`. Its parts must be percent-encoded.
  ///   - query: Names and values. They must not be encoded.
  /// - Returns: The response body.
  /// - Throws: The failure that the response reports; `AuthExpired` if there is no token or the hub
  ///   refuses it; the errors of sending.
  public func get(
    _ path: String, query: [(name: String, value: String)] = []
  ) async throws(Failure) -> [UInt8] {
    try await outcome("GET", path + Self.text(of: query)).get()
  }

  static func text(of query: [(name: String, value: String)]) -> String {
    let text = query.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
    return text.isEmpty ? "" : "?" + text.joined(separator: "&")
  }

  /// Sends a request with the stored token.
  ///
  /// If the hub refuses the token, the token is renewed and the request is sent again.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path and query.
  ///   - body: The request body; nil for none.
  ///   - contentType: The body's media type.
  /// - Returns: The response body, and the failure that the response reports.
  /// - Throws: `AuthExpired` if there is no token or the hub refuses it; the errors of sending.
  func outcome(
    _ method: String, _ path: String, body: [UInt8]? = nil,
    contentType: String = "application/json"
  ) async throws(Failure) -> HubOutcome {
    let tokens = try await accepted()
    let request = request(method, path, body: body, contentType: contentType)
    let outcome = try await outcome(request, tokens.access)
    guard let failure = outcome.failure, failure.code == .authExpired, failure.status == 401 else {
      return outcome
    }
    return try await self.outcome(request, try await renewed(from: tokens).access)
  }

  /// Returns the `Authorization` field for a connection that this type does not open, such as a
  /// stream.
  ///
  /// - Parameter refused: The field that the hub refused. Its token is renewed. Nil if no field was
  ///   refused.
  /// - Returns: The field's value.
  /// - Throws: As ``get(_:query:)``.
  public func authorization(insteadOf refused: String? = nil) async throws(Failure) -> String {
    var tokens = try await accepted()
    if refused == "Bearer \(tokens.access)" { tokens = try await renewed(from: tokens) }
    return "Bearer \(tokens.access)"
  }

  // MARK: Registering

  /// Registers this machine at the hub, and stores the tokens that it receives.
  ///
  /// - Parameters:
  ///   - code: The code that the host showed.
  ///   - name: The name that this machine gets at the hub.
  /// - Returns: The device's id at the hub.
  /// - Throws: `PairingCodeInvalid` if the code is wrong; `PairingCodeExpired` if it has expired;
  ///   `RateLimited` after too many wrong codes; the errors of sending; as `KeyStore.set`.
  public func register(code: String, name: String) async throws(Failure) -> String {
    let place = place
    let key = try await Self.blocking.run { () throws(Failure) in try place.devicePublicKey() }
    let path = "/v1/auth/device/register"
    let body = DeviceRegistration(code: code, deviceName: name, devicePublicKey: key)
    let request = request("POST", path, body: try body.body())
    let grant = try decoded(try await answer(request, nil), path)
    let tokens = try tokens(grant)
    try await Self.blocking.run { () throws(Failure) in try place.store(tokens) }
    return grant.deviceId
  }

  /// Requests a link that signs a browser in to the hub's page.
  ///
  /// - Throws: `NotFound` if the hub serves no page; `PermissionDenied` if this machine may not give
  ///   the requested access; the errors of sending.
  public func pageLink(_ asked: PageLinkRequest) async throws(Failure) -> Pairing {
    let path = "/v1/page-links"
    let outcome = try await outcome("POST", path, body: try asked.body())
    if outcome.failure?.status == 404 {
      throw Failure(
        .notFound, "the hub at '\(hub.url)' serves no page", url: hub.url, input: hub.url,
        nextStep: "start it with 'hub-serve --page'")
    }
    let body = try outcome.get()
    do {
      return try Pairing(json: String(decoding: body, as: UTF8.self))
    } catch {
      throw Failure(
        .invalidResponse, "the answer to '\(path)' is not a pairing record", url: hub.url)
    }
  }

  // MARK: Tokens

  /// Returns the tokens.
  ///
  /// If they have expired, they are renewed first.
  private func accepted() async throws(Failure) -> HubTokens {
    guard let tokens = try await remembered() else {
      throw Failure(
        .authExpired,
        "this machine has no token for '\(hub.url)'", url: hub.url, input: hub.url,
        nextStep: "run 'hub-serve register-code' there and 'pair register' here")
    }
    guard tokens.refresh != nil, let end = tokens.expiresAt, end <= Timestamp.now else {
      return tokens
    }
    return try await renewed(from: tokens)
  }

  private func remembered() async throws(Failure) -> HubTokens? {
    if let tokens = known.tokens.withLock({ $0 }) { return tokens }
    return try await stored()
  }

  private func stored() async throws(Failure) -> HubTokens? {
    let place = place
    let tokens = try await Self.blocking.run { () throws(Failure) in try place.tokens() }
    known.tokens.withLock { $0 = tokens }
    return tokens
  }

  /// Returns the tokens that replace the given ones.
  ///
  /// If another process has already stored new tokens, these are returned. Otherwise the tokens are
  /// renewed.
  private func renewed(from old: HubTokens) async throws(Failure) -> HubTokens {
    let lock = try await place.lock()
    defer { withExtendedLifetime(lock) {} }
    guard let now = try await stored() else { throw refused }
    guard now.access == old.access else { return now }
    guard let refresh = now.refresh else { throw refused }
    let path = "/v1/auth/token/refresh"
    let request = request(
      "POST", path, body: try TokenRenewal(refreshToken: refresh).body())
    let grant: TokenGrant
    do {
      grant = try decoded(try await answer(request, nil), path)
    } catch {
      guard RetryPolicy().delay(after: error, tries: 1, jitter: 0) != nil else { throw error }
      // The response may have been lost; the hub accepts the same token again for a minute.
      grant = try decoded(try await answer(request, nil), path)
    }
    let tokens = try tokens(grant)
    let place = place
    try await Self.blocking.run { () throws(Failure) in try place.store(tokens) }
    known.tokens.withLock { $0 = tokens }
    return tokens
  }

  /// Returns the tokens in the given grant.
  ///
  /// - Throws: A failure if the key store could not store them unchanged.
  private func tokens(_ grant: TokenGrant) throws(Failure) -> HubTokens {
    let tokens = HubTokens(grant, at: .now)
    guard HubTokens(secret: tokens.secret)?.secret == tokens.secret else {
      throw Failure(.invalidResponse, "'\(hub.url)' issued invalid tokens", url: hub.url)
    }
    return tokens
  }

  private var refused: Failure {
    Failure(
      .authExpired, "'\(hub.url)' no longer accepts the token of this machine", status: 401,
      url: hub.url, input: hub.url)
  }

  // MARK: Requests

  private func request(
    _ method: String, _ path: String, body: [UInt8]? = nil, contentType: String = "application/json"
  ) -> HTTPRequest {
    var fields = [HTTPField("accept", "application/json")]
    if body != nil { fields.append(HTTPField("content-type", contentType)) }
    var request = HTTPRequest(
      url: hub.url + path, method: method, fields: fields, body: body, timeouts: timeouts,
      maximumBodyBytes: Self.longestAnswer)
    request.keepsPath = true
    return request
  }

  /// Sends the given request, and returns the body of a successful response.
  private func answer(_ request: HTTPRequest, _ token: String?) async throws(Failure) -> [UInt8] {
    try await outcome(request, token).get()
  }

  private func outcome(
    _ request: HTTPRequest, _ token: String?
  ) async throws(Failure) -> HubOutcome {
    var request = request
    if let token { request.fields.append(HTTPField("authorization", "Bearer \(token)")) }
    let response = try await client.collect(request)
    let isSuccess = (200...299).contains(response.head.status)
    return HubOutcome(
      body: response.body,
      failure: isSuccess ? nil : Failure(hub: response, url: request.url))
  }

  private func decoded(_ body: [UInt8], _ path: String) throws(Failure) -> TokenGrant {
    do {
      return try TokenGrant(json: body)
    } catch {
      throw Failure(
        .invalidResponse, "'\(hub.url + path)' sent an unexpected answer",
        url: hub.url + path)
    }
  }
}

/// A hub's response: its body, and the failure that it reports.
public struct HubOutcome: Sendable {
  /// The response body.
  ///
  /// It is also set if the response reports a failure.
  public var body: [UInt8]
  /// The failure; nil if the request succeeded.
  public var failure: Failure?

  /// Returns the body if the request succeeded.
  ///
  /// - Throws: The failure that the response reports.
  public func get() throws(Failure) -> [UInt8] {
    if let failure { throw failure }
    return body
  }
}

/// The tokens that this process remembers between requests.
private final class KnownTokens: Sendable {
  let tokens = Mutex<HubTokens?>(nil)
}
