public import Core
import Crypto
import Foundation
public import HTTP
import HubWords
public import Keys
import Signing
import Synchronization

/// A host as a companion sees it: what it is asked, and what it answers.
///
/// Requests are signed where the host takes signatures. A host whose clock is another one tells so
/// once; from then on its clock is used.
public final class CompanionPeer: Sendable {
  /// Where the host is, without a slash at its end.
  public let url: String
  private let signer: Signer?
  /// The `Authorization` field; nil for none.
  private let authorization: String?
  private let client: HTTPClient
  private let allowsHTTP: Bool
  /// The host's own key; nil where certificates vouch for it.
  let pin: String?
  private let timeouts = HTTPTimeouts(connect: 5, idle: 30, total: 60)
  /// So many seconds the host's clock is ahead of ours.
  private let skew = Mutex(0)
  /// The URL at which it was reached last.
  let place: Mutex<HostPlace>

  /// Signs requests.
  struct Signer: Sendable {
    let identity: DeviceIdentity
    /// What this machine is known by at the host.
    let keyId: String
  }

  /// The longest answer that is read, in bytes.
  private static let longestAnswer = 16 << 20
  /// So long may nothing come of an answer that goes on, in seconds: a host tells every 15 that it is
  /// there.
  static let longestSilence = 60.0

  /// A host that is yet to be asked.
  ///
  /// - Parameters:
  ///   - url: Where it is.
  ///   - identity: What requests are signed with; nil for none.
  ///   - keyId: What this machine is known by there.
  ///   - authorization: The `Authorization` field for a hub of this machine, which goes nowhere else.
  ///   - allowsHTTP: Whether HTTP in the clear may go to any network.
  ///   - pin: The host's own key, as `HTTPRequest.pinnedKey` has it; nil where certificates vouch for it.
  ///   - client: What sends requests.
  /// - Throws: `BadUsage` for what is no http or https URL.
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

  /// A URL without a slash at its end, `http://` where it has no scheme.
  ///
  /// - Throws: `BadUsage` for what is none of a host.
  public static func base(_ text: String) throws(Failure) -> String {
    guard !text.contains("{") else {
      // It may be what a QR code says, which is not repeated.
      throw Failure(.badUsage, "the URL looks like the text of a QR code: pass it with --payload")
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

  // MARK: Asking

  /// Asks for something.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path, names in it percent-encoded.
  ///   - query: What follows the question mark; nil for nothing.
  ///   - body: What is sent; nil for nothing.
  ///   - type: What the answer is.
  /// - Returns: The answer.
  /// - Throws: The failure that the answer tells, what sending throws, `ProtocolMismatch` for an answer
  ///   that is none.
  func ask<Answer: HubWord>(
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

  /// A request, signed where it can be; `base` is where the host is asked.
  ///
  /// - Throws: `BadInput` where it cannot be signed.
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
      let signature = MessageSignature(
        message, covering: covered, keyId: signer.keyId, created: created,
        nonce: Identifier.make(), by: signer.identity.sign)
    else {
      throw Failure(.badInput, "cannot sign the request", input: Failure.shownURL(whole))
    }
    return signature.fields.map { HTTPField($0.name, $0.value) }
  }

  /// Takes over the host's clock where it says that ours is another; once.
  ///
  /// - Parameters:
  ///   - head: The head of an answer.
  ///   - code: What its body tells.
  /// - Returns: Whether the request is to be sent again.
  func learnsClock(_ head: HTTPHead, _ code: FailureCode?) -> Bool {
    guard signer != nil, head.status == 401, code == .clockSkew,
      let theirs = head.value("Date").flatMap(HTTPDate.secondsSince1970)
    else { return false }
    let ahead = theirs - Int(Timestamp.now.milliseconds / 1000)
    return skew.withLock { skew in
      // Nobody has us sign for another day.
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

  /// A failure of sending as it is for hosts: an address that may not be asked is no page.
  static func judged(_ failure: Failure) -> Failure {
    guard failure.code == .pageRefused else { return failure }
    var failure = failure
    failure.code = failure.kind == .tooLarge ? .invalidResponse : .permissionDenied
    return failure
  }

  /// Sends a request whose answer goes on and on.
  func stream(_ request: HTTPRequest) -> AsyncThrowingStream<HTTPEvent, any Error> {
    client.stream(request)
  }
}

/// The address at which a host is asked.
///
/// `localhost` is the name of two addresses, and another program may listen on one of them and pass on what
/// it is sent. So an address is asked in its place, and is what is signed: the hub behind such a program is
/// reached by another one, and refuses.
struct HostPlace {
  /// The URL at which it was reached last.
  var base: String
  /// The other URL that may reach it; nil if there is one URL only.
  private var others: [String] = []

  /// The place that a URL without a slash at its end names.
  ///
  /// Of TLS the certificate says who answers, and it may name `localhost`.
  init(_ url: String) {
    base = url
    let start = "http://localhost"
    let rest = url.dropFirst(start.count)
    guard url.lowercased().hasPrefix(start), rest.isEmpty || rest.first == ":" || rest.first == "/"
    else { return }
    base = "http://127.0.0.1" + rest
    others = [base, "http://[::1]" + rest]
  }

  /// Returns the place beside one at which nothing listens; nil where there is none.
  func place(beside base: String) -> String? { others.first { $0 != base } }
}

extension CompanionPeer {
  /// Asks the host where it was reached last, and where nothing listens there, at its other place.
  ///
  /// - Parameter send: Asks at a place.
  /// - Returns: What it returns.
  /// - Throws: What it throws, in the first place where nothing listens at both.
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
