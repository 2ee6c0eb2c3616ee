import Core
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension Failure {
  /// Creates the failure that reports a response with a status other than 101.
  ///
  /// - Parameters:
  ///   - head: The head of the response.
  ///   - body: The body of the response, or its first part.
  ///   - url: The URL, without parts that may be secret.
  init(answer head: HTTPResponseHead, body: [UInt8], url: String) {
    let status = Int(head.status.code)
    let wait = head.headers.first(name: "retry-after").flatMap(Double.init)
      .flatMap { $0.isFinite && 0...31_622_400 ~= $0 ? $0 : nil }
    let record = JSONObject(body)
    let code = record?.string("code").flatMap(FailureCode.init)
    let words = record?.string("explanation").map { Visible.line(String($0.prefix(500))) }
    self.init(
      code ?? FailureCode(handshakeStatus: status, hasRetryAfter: wait != nil),
      "'\(url)' answered \(status)" + (words.map { ": \($0)" } ?? ""),
      kind: record?.string("kind").map(FailureKind.init(rawValue:)),
      retryAfterSeconds: wait ?? record?.number("retryAfterSeconds"), status: status, url: url,
      cause: words)
  }

  /// Creates the failure that reports that the connection failed or was lost before the response.
  init(handshake error: any Error, url: String) {
    let words = Visible.line("\(error)")
    switch error {
    case let failure as Failure: self = failure
    case let failure as NIOConnectionError where failure.connectionErrors.isEmpty:
      self.init(
        .networkUnavailable, "cannot find the host of '\(url)'", kind: .resolve, url: url,
        cause: words)
    case let failure as NIOConnectionError
    where failure.connectionErrors.contains { $0.error is ChannelError }:
      self.init(
        .timeout, "cannot connect to '\(url)' in time", kind: .connectTimeout, url: url,
        cause: words)
    case is NIOConnectionError:
      self.init(
        .networkUnavailable, "cannot connect to '\(url)'", kind: .connect, url: url, cause: words)
    case NIOSSLError.handshakeFailed, is NIOSSLExtraError:
      self.init(
        .networkUnavailable, "cannot trust the certificate of '\(url)'", kind: .tls, url: url,
        cause: words, nextStep: "set CURL_CA_BUNDLE=FILE to trust your own")
    case is NIOSSLError, is BoringSSLError:
      self.init(
        .networkUnavailable, "cannot make a TLS connection to '\(url)'", kind: .tls, url: url,
        cause: words)
    // If a response ends too early, the connection was lost.
    case let failure as HTTPParserError where failure != .invalidEOFState:
      self.init(
        .invalidResponse, "'\(url)' does not speak WebSocket", kind: .protocol, url: url,
        cause: words)
    default:
      self.init(
        .networkUnavailable, "the connection to '\(url)' was lost", kind: .reset, url: url,
        cause: words)
    }
  }
}

extension FailureCode {
  /// Creates the failure code for a handshake that was refused with the given status.
  init(handshakeStatus status: Int, hasRetryAfter: Bool) {
    switch status {
    // Status 421: the server does not serve the requested host name.
    case 400, 413, 421, 422, 431: self = .badInput
    case 401: self = .authExpired
    case 402: self = .quotaExhausted
    case 403, 451: self = .permissionDenied
    case 404, 410: self = .notFound
    case 408, 504: self = .timeout
    case 409: self = .conflict
    case 426: self = .protocolMismatch
    case 429: self = .rateLimited
    case 529: self = .overloaded
    case 503 where hasRetryAfter: self = .overloaded
    // The server does not speak WebSocket and sent a page.
    case 200...299: self = .invalidResponse
    default: self = .serverError
    }
  }
}
