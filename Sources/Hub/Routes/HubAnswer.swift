import Core
import HTTPTypes
import HubWords
import Hummingbird
import NIOCore

/// The response to a request.
struct HubAnswer: Sendable {
  /// The HTTP status of the response.
  var status: HTTPResponse.Status = .ok
  /// The media type of the body.
  var contentType = "application/json"
  /// The body.
  var body: [UInt8] = []
  /// The additional header fields.
  var fields: [(name: HTTPField.Name, value: String)] = []
  /// The writer of an endless body; nil if ``body`` is complete.
  var stream: Stream?

  /// A function that writes pieces of a body until the client disconnects.
  typealias Stream = @Sendable (inout any ResponseBodyWriter) async throws -> Void

  /// Creates a response from the given JSON text.
  init(json: String, status: HTTPResponse.Status = .ok) {
    self.status = status
    body = Array(json.utf8) + [0x0A]
  }

  /// Creates a response from the given record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - links: The links to pages.
  ///   - status: The status.
  /// - Throws: `BadInput` if the record cannot be encoded.
  init(
    _ record: some StreamRecord, _ links: WebLinks = WebLinks(), status: HTTPResponse.Status = .ok
  ) throws(Failure) {
    self.init(json: try links.json(record), status: status)
  }

  /// Creates a response whose JSON body is the given object of the API.
  ///
  /// - Throws: `BadInput` if JSON cannot represent a number.
  init(_ word: some HubWord, status: HTTPResponse.Status = .ok) throws(Failure) {
    self.init(json: try word.json(), status: status)
  }

  /// Creates a response that is written in pieces.
  init(contentType: String, _ stream: @escaping Stream) {
    self.contentType = contentType
    self.stream = stream
  }

  /// The response in the form of the HTTP server.
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

  /// Creates a response from the given body and media type.
  init(_ body: [UInt8], contentType: String, status: HTTPResponse.Status = .ok) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// Creates a response that reports the given failure as an `error` record.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - members: Additional members of the body.
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
    // Without a `Retry-After`, clients would retry at once, for example while the disk is full.
    let usual: Double? = status == .serviceUnavailable ? 5 : nil
    if let seconds = failure.retryAfterSeconds ?? usual {
      fields.append((.retryAfter, "\(Int(seconds.rounded(.up)))"))
    }
    if status == .unauthorized { fields.append((.wwwAuthenticate, "Bearer")) }
  }
}

extension FailureCode {
  /// The HTTP status for the failure (RFC 9110 section 15).
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
