public import Core
import Foundation
public import HTTP
import HubWords
public import Keys
import Signing
import Synchronization

/// A client of a host.
///
/// It sends requests as a companion.
///
/// Requests are signed if the host accepts signatures. If the host reports that the clocks differ,
/// later signatures use the host's clock.
public final class CompanionPeer: Sendable {
  /// The host's URL, without a trailing slash.
  public let url: String
  private let signer: Signer?
  /// The value of the `Authorization` field of requests; nil for none.
  private let authorization: String?
  private let client: HTTPClient
  private let allowsHTTP: Bool
  /// The pin of the host's own key; nil if certificates authenticate the host.
  let pin: String?
  private let timeouts = HTTPTimeouts(connect: 5, idle: 30, total: 60)
  /// The number of seconds by which the host's clock is ahead of this machine's clock.
  private let skew = Mutex(0)
  /// The addresses of the host, including the address at which it was last reached.
  let place: Mutex<HostPlace>

  /// The signer of requests.
  struct Signer: Sendable {
    let identity: DeviceIdentity
    /// The name by which the host knows this machine.
    let keyId: String
  }

  /// The largest response that is read, in bytes.
  private static let longestAnswer = 16 << 20
  /// The number of seconds without data after which a streamed answer counts as lost.
  ///
  /// A host sends a sign of life every 15 seconds.
  static let longestSilence = 60.0

  /// Creates a client without contacting the host.
  ///
  /// - Parameters:
  ///   - url: The host's URL.
  ///   - identity: The key that signs requests; nil for unsigned requests.
  ///   - keyId: The name by which the host knows this machine.
  ///   - authorization: The value of the `Authorization` field. It is sent only to this machine.
  ///   - allowsHTTP: `true` to allow unencrypted HTTP to any network.
  ///   - pin: The pin of the host's own key, as in `HTTPRequest.pinnedKey`; nil if certificates
  ///     authenticate the host.
  ///   - client: The HTTP client.
  /// - Throws: `BadUsage` if the URL is not http or https.
  public init(
    _ url: String, identity: DeviceIdentity? = nil, keyId: String? = nil,
    authorization: String? = nil, allowsHTTP: Bool, pin: String? = nil,
    client: HTTPClient = HTTPClient()
  ) throws(Failure) {
    self.url = try Self.base(url)
    place = Mutex(HostPlace(self.url))
    signer = identity.flatMap { identity in keyId.map { Signer(identity: identity, keyId: $0) } }
    self.authorization = authorization
    self.client = client
    self.allowsHTTP = allowsHTTP
    self.pin = pin
  }

  /// Returns the given URL without its trailing slash.
  ///
  /// If it has no scheme, `http://` is added.
  ///
  /// - Throws: `BadUsage` if the text is not a valid URL of a host.
  public static func base(_ text: String) throws(Failure) -> String {
    guard !text.contains("{") else {
      // The text may come from a QR code and contain a secret, so the message does not repeat it.
      throw Failure(
        .badUsage, "the URL looks like the text of a QR code", nextStep: "pass it with --payload")
    }
    let whole = text.contains("://") ? text : "http://" + text
    guard let parts = URLComponents(string: whole),
      let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
      parts.query == nil, parts.fragment == nil
    else {
      let shown = Failure.shownURL(text)
      throw Failure(
        .badUsage,
        "'\(shown)' is not a host URL such as http://192.168.1.20:7878"
          + (shown == text ? "" : ", without a password or a query"),
        input: shown)
    }
    var base = scheme + whole.dropFirst(scheme.count)
    while base.hasSuffix("/") { base.removeLast() }
    return base
  }

  // MARK: Requests

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path. Names in it are percent-encoded.
  ///   - query: The query without the question mark; nil for none.
  ///   - body: The request body; nil for none.
  ///   - type: The type of the response body.
  /// - Returns: The response body.
  /// - Throws: The failure that the response reports; the errors of sending; `ProtocolMismatch` if
  ///   the response is malformed.
  func send<Answer: HubWord>(
    _ method: String, _ path: String, query: String? = nil, body: (any HubWord)? = nil,
    _ type: Answer.Type
  ) async throws(Failure) -> Answer {
    let bytes = try body.map { (body) throws(Failure) in try body.body() }
    let send = { (base: String) async throws(Failure) in
      try await self.collect(
        try self.request(method, path, query: query, body: bytes, at: base))
    }
    var response = try await reaching(send)
    if learnsClock(response.head, FailureCode(companion: response)) {
      response = try await reaching(send)
    }
    let isRefused = JSONObject(response.body).map { $0.has("ok") && !$0.isTrue("ok") } ?? false
    guard (200..<300).contains(response.head.status), !isRefused else {
      throw Failure(companion: response, url: url + path)
    }
    do {
      return try Answer(json: response.body)
    } catch {
      throw Failure.otherAnswer(url + path)
    }
  }

  /// Returns a request to the host at `base`.
  ///
  /// It is signed if the host accepts signatures.
  ///
  /// - Throws: `BadInput` if the request cannot be signed; the errors of `DeviceIdentity.sign`.
  func request(
    _ method: String, _ path: String, query: String? = nil, body: [UInt8]? = nil,
    accept: String = "application/json", at base: String
  ) throws(Failure) -> HTTPRequest {
    let whole = base + path + (query.map { "?" + $0 } ?? "")
    var fields = [HTTPField("Accept", accept)]
    if let body {
      fields += [
        HTTPField("Content-Type", "application/json"),
        HTTPField("Content-Digest", ContentDigest.field(body)),
      ]
    }
    if let authorization { fields.append(HTTPField("Authorization", authorization)) }
    if let signer { fields += try signature(by: signer, method, of: whole, fields) }
    var request = HTTPRequest(
      url: whole, method: method, fields: fields, body: body, timeouts: timeouts,
      maximumBodyBytes: Self.longestAnswer,
      addressGuard: authorization == nil
        ? LocalNetwork.guardian(of: url, allowsHTTP: allowsHTTP) : LocalNetwork.ownMachine)
    request.pinnedKey = pin
    request.keepsPath = true
    return request
  }

  private func signature(
    by signer: Signer, _ method: String, of whole: String, _ fields: [HTTPField]
  ) throws(Failure) -> [HTTPField] {
    guard let parts = URLComponents(string: whole), let host = parts.encodedHost else {
      throw Failure(
        .badUsage, "'\(Failure.shownURL(whole))' is not a URL", input: Failure.shownURL(whole))
    }
    let usual = parts.scheme == "https" ? 443 : 80
    let port = parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
    let message = SignedMessage(
      method: method, authority: host + port, path: parts.percentEncodedPath,
      query: parts.percentEncodedQuery, fields: fields.map { ($0.name, $0.value) })
    var covered = ["@method", "@authority", "@path", "@query"]
    if fields.contains(where: { $0.isNamed("Content-Digest") }) { covered.append("content-digest") }
    let created = Int(Timestamp.now.milliseconds / 1000) + skew.withLock(\.self)
    guard
      let signature = try MessageSignature(
        message, covering: covered, keyId: signer.keyId, created: created,
        nonce: Identifier.make(), by: signer.identity.sign)
    else {
      throw Failure(.badInput, "cannot sign the request", input: Failure.shownURL(whole))
    }
    return signature.fields.map { HTTPField($0.name, $0.value) }
  }

  /// Adopts the host's clock, at most once, if the host reports that the clocks differ.
  ///
  /// - Parameters:
  ///   - head: The head of the response.
  ///   - code: The failure code in the response body.
  /// - Returns: `true` if the request should be sent again.
  func learnsClock(_ head: HTTPHead, _ code: FailureCode?) -> Bool {
    guard signer != nil, head.status == 401, code == .clockSkew,
      let theirs = head.value("Date").flatMap(HTTPDate.secondsSince1970)
    else { return false }
    let ahead = theirs - Int(Timestamp.now.milliseconds / 1000)
    return skew.withLock { skew in
      // A host must not make this machine sign for a different day.
      guard skew == 0, abs(ahead) <= 86_400 else { return false }
      skew = ahead
      return true
    }
  }

  private func collect(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    do {
      return try await client.collect(request)
    } catch {
      throw Self.judged(error)
    }
  }

  /// Returns the given failure.
  ///
  /// A code `pageRefused` is replaced by one that fits hosts.
  static func judged(_ failure: Failure) -> Failure {
    guard failure.code == .pageRefused else { return failure }
    var failure = failure
    failure.code = failure.kind == .tooLarge ? .invalidResponse : .permissionDenied
    return failure
  }

  /// Sends the given request and returns its streamed response.
  func stream(_ request: HTTPRequest) -> AsyncThrowingStream<HTTPEvent, any Error> {
    client.stream(request)
  }
}

/// The addresses at which a host may be reached.
///
/// `localhost` has two addresses. Another program may listen on one of them and forward requests to
/// the hub. Requests therefore name and sign an address, and the hub refuses requests that name
/// another one.
struct HostPlace {
  /// The URL at which the host was last reached.
  var base: String
  /// All URLs of the host; empty if it has only one.
  private var others: [String] = []

  /// Creates the place that the given URL names.
  ///
  /// The URL has no trailing slash.
  ///
  /// An https URL is used unchanged, because its certificate authenticates the host and may name
  /// `localhost`.
  init(_ url: String) {
    base = url
    let start = "http://localhost"
    let rest = url.dropFirst(start.count)
    guard url.lowercased().hasPrefix(start), rest.isEmpty || rest.first == ":" || rest.first == "/"
    else { return }
    base = "http://127.0.0.1" + rest
    others = [base, "http://[::1]" + rest]
  }

  /// Returns the URL to try if nothing listens at `base`; nil if there is no other.
  func place(beside base: String) -> String? { others.first { $0 != base } }
}

extension CompanionPeer {
  /// Sends a request to the address that was last used.
  ///
  /// If nothing listens there, the request is sent to the other address.
  ///
  /// - Parameter send: Sends the request to the given address.
  /// - Returns: The result of `send`.
  /// - Throws: The errors of `send`; if nothing listens at either address, the error for the first
  ///   one.
  func reaching<Answer>(
    _ send: (_ base: String) async throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    let base = place.withLock(\.base)
    do throws(Failure) {
      return try await send(base)
    } catch {
      guard error.kind == .connect, let other = place.withLock({ $0.place(beside: base) }) else {
        throw error
      }
      do throws(Failure) {
        let answer = try await send(other)
        place.withLock { $0.base = other }
        return answer
      } catch let second {
        throw second.kind == .connect ? error : second
      }
    }
  }
}
