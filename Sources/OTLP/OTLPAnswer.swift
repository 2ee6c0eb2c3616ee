/// The response to an OTLP request.
///
/// It has the encoding of the request.
public struct OTLPAnswer: Sendable {
  /// The bytes of the body.
  public var body: [UInt8]
  /// The value of the response's `Content-Type`.
  public var contentType: String

  /// Creates a response of status 200, for a request whose events were stored.
  ///
  /// - Parameters:
  ///   - signal: The signal of the request.
  ///   - encoding: The encoding of the request.
  ///   - received: The contents of the request. Its rejected records are reported in the response.
  public init(_ signal: OTLPSignal, _ encoding: OTLPEncoding, to received: OTLPReceived) {
    contentType = encoding.contentType
    body = Self.record(signal).answer(Int64(received.rejected), received.message, encoding)
  }

  /// Creates the response to a request that failed.
  ///
  /// Its body is a `google.rpc.Status`.
  ///
  /// - Parameters:
  ///   - status: The HTTP status of the response.
  ///   - encoding: The encoding of the request.
  ///   - message: A sentence that describes the failure.
  public init(failed status: Int, _ encoding: OTLPEncoding, message: String) {
    contentType = encoding.contentType
    body = WireBody.bytes(
      of: WireFailure(code: Self.code(ofStatus: status), message: message), encoding)
  }

  /// Returns the partial success that a server's response reports.
  ///
  /// - Parameters:
  ///   - body: The body of the response to a JSON request.
  ///   - signal: The signal of the request.
  /// - Returns: The number of rejected records, and a sentence with the reason, which may be empty.
  ///   It is nil if the response reports no partial success.
  public static func partialSuccess(
    _ body: [UInt8], to signal: OTLPSignal
  ) -> (rejected: Int, message: String)? {
    guard let outcome = record(signal).partialSuccess(body),
      outcome.rejected != 0 || !outcome.message.isEmpty
    else { return nil }
    return outcome
  }

  private static func record(_ signal: OTLPSignal) -> any WireRecord.Type {
    switch signal {
    case .traces: WireSpan.self
    case .logs: WireLogRecord.self
    case .metrics: WireMetric.self
    }
  }

  /// Returns the gRPC code (google.rpc.Code) for the given HTTP status.
  public static func code(ofStatus status: Int) -> Int32 {
    switch status {
    case 401: 16
    case 403: 7
    case 404: 5
    case 408, 504: 4
    case 409: 10
    case 413, 429: 8
    case 400..<500: 3
    case 501: 12
    case 502, 503: 14
    default: 13
    }
  }
}

extension WireRecord {
  /// Returns the response that reports the given rejected records; without any, it is empty.
  fileprivate static func answer(
    _ rejected: Int64, _ message: String, _ encoding: OTLPEncoding
  ) -> [UInt8] {
    var answer = WireAnswer<Self>()
    if rejected != 0 || !message.isEmpty {
      answer.partialSuccess = WirePartialSuccess(rejected: rejected, message: message)
    }
    return WireBody.bytes(of: answer, encoding)
  }

  /// Returns the partial success that the given response in JSON reports; nil if there is none.
  fileprivate static func partialSuccess(_ body: [UInt8]) -> (rejected: Int, message: String)? {
    let answer = try? WireBody.message(WireAnswer<Self>.self, of: body, .json)
    return answer?.partialSuccess.map { (Int($0.rejected), $0.message) }
  }
}
