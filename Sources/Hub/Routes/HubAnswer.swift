import Core
import HTTPTypes
import HubWords
import Hummingbird
import NIOCore

/// What a request is answered with.
struct HubAnswer: Sendable {
  /// The status.
  var status: HTTPResponse.Status = .ok
  /// The media type of the body.
  var contentType = "application/json"
  /// The body.
  var body: [UInt8] = []
  /// Fields of the head beside these.
  var fields: [(name: HTTPField.Name, value: String)] = []
  /// Writes a body that goes on and on; nil where ``body`` is all.
  var stream: Stream?

  /// Writes pieces of a body until nobody wants more of it.
  typealias Stream = @Sendable (inout any ResponseBodyWriter) async throws -> Void

  /// A text that is JSON already.
  init(json: String, status: HTTPResponse.Status = .ok) {
    self.status = status
    body = Array(json.utf8) + [0x0A]
  }

  /// A record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - links: Where it is to be seen.
  ///   - status: The status.
  /// - Throws: `BadInput` for one that cannot be written.
  init(
    _ record: some StreamRecord, _ links: WebLinks = WebLinks(), status: HTTPResponse.Status = .ok
  ) throws(Failure) {
    self.init(json: try links.json(record), status: status)
  }

  /// A body of the API.
  ///
  /// - Throws: `BadInput` for a number that JSON has not.
  init(_ word: some HubWord, status: HTTPResponse.Status = .ok) throws(Failure) {
    self.init(json: try word.json(), status: status)
  }

  /// A body that is written piece by piece.
  init(contentType: String, _ stream: @escaping Stream) {
    self.contentType = contentType
    self.stream = stream
  }

  /// The answer as the server sends it.
  var response: Response {
    var headers = HTTPFields()
    headers[.contentType] = contentType
    headers[.cacheControl] = "no-store"
    for (name, value) in fields { headers[name] = value }
    guard let stream else {
      return Response(
        status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
    return Response(status: status, headers: headers, body: ResponseBody(stream))
  }

  /// Bytes of some media type.
  init(_ body: [UInt8], contentType: String, status: HTTPResponse.Status = .ok) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// A failure, as its `error` record.
  ///
  /// - Parameters:
  ///   - failure: What went wrong.
  ///   - members: What else the body says.
  init(_ failure: Failure, members: ErrorMembers = ErrorMembers()) {
    var failure = failure
    status = failure.code.httpStatus
    if let own = failure.status { status = HTTPResponse.Status(code: own) }
    failure.status = status.code
    let record = try? ErrorRecord(failure, tool: "hub-serve").json()
    var json = record ?? "{\"code\":\"\(failure.code.rawValue)\",\"type\":\"error\"}"
    var members = members
    if failure.code == .protocolMismatch {
      members.supported = ProtocolAnswer().supported
      // RFC 9110 section 15.5.22.
      if status == .upgradeRequired { fields.append((.upgrade, "websocket")) }
    }
    json = (try? members.added(to: json)) ?? json
    body = Array(json.utf8) + [0x0A]
    // A disk may be full for a while; who is told of no time would try again at once.
    let usual: Double? = status == .serviceUnavailable ? 5 : nil
    if let seconds = failure.retryAfterSeconds ?? usual {
      fields.append((.retryAfter, "\(Int(seconds.rounded(.up)))"))
    }
    if status == .unauthorized { fields.append((.wwwAuthenticate, "Bearer")) }
  }
}

extension FailureCode {
  /// The status of HTTP that a failure is answered with (RFC 9110 section 15).
  var httpStatus: HTTPResponse.Status {
    switch self {
    case .badUsage, .badInput, .pairingCodeInvalid: .badRequest
    case .pairingCodeExpired: .gone
    case .notFound, .tmuxSessionNotFound, .tmuxNotFound: .notFound
    case .conflict: .conflict
    case .authExpired, .missingAPIKey: .unauthorized
    case .permissionDenied, .deviceRevoked, .clockSkew: .forbidden
    case .rateLimited, .quotaExhausted: .tooManyRequests
    case .timeout: .gatewayTimeout
    case .protocolMismatch: .upgradeRequired
    case .storageFailed, .overloaded, .busy: .serviceUnavailable
    default: .internalServerError
    }
  }
}
