public import Core
internal import SwiftProtobuf

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
  /// - Throws: Nothing in practice, because these messages can always be encoded.
  public init(
    _ signal: OTLPSignal, _ encoding: OTLPEncoding, to received: OTLPReceived
  ) throws(Failure) {
    contentType = encoding.contentType
    body = try WireBody.bytes(
      of: Self.message(signal).reporting(Int64(received.rejected), received.message), encoding)
  }

  /// Creates the response to a request that failed.
  ///
  /// Its body is a `google.rpc.Status`.
  ///
  /// - Parameters:
  ///   - status: The HTTP status of the response.
  ///   - encoding: The encoding of the request.
  ///   - message: A sentence that describes the failure.
  /// - Throws: Nothing in practice, because this message can always be encoded.
  public init(
    failed status: Int, _ encoding: OTLPEncoding, message: String
  ) throws(Failure) {
    var report = WireRequestStatus()
    report.code = Self.code(ofStatus: status)
    report.message = message
    contentType = encoding.contentType
    body = try WireBody.bytes(of: report, encoding)
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
    let outcome = try? WireBody.message(Self.message(signal), of: body, .json).outcome
    guard let outcome, outcome.rejected != 0 || !outcome.message.isEmpty else { return nil }
    return (Int(outcome.rejected), outcome.message)
  }

  private static func message(_ signal: OTLPSignal) -> any WireAnswer.Type {
    switch signal {
    case .traces: WireExportTraceServiceResponse.self
    case .logs: WireExportLogsServiceResponse.self
    case .metrics: WireExportMetricsServiceResponse.self
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

/// A response message that reports rejected records.
private protocol WireAnswer: SwiftProtobuf.Message {
  var outcome: (rejected: Int64, message: String) { get set }
}

extension WireAnswer {
  /// Returns a response that reports rejected records.
  ///
  /// Without any, the response is empty.
  fileprivate static func reporting(_ rejected: Int64, _ message: String) -> Self {
    var answer = Self()
    if rejected != 0 || !message.isEmpty { answer.outcome = (rejected, message) }
    return answer
  }
}

extension WireExportTraceServiceResponse: WireAnswer {
  fileprivate var outcome: (rejected: Int64, message: String) {
    get { (partialSuccess.rejectedSpans, partialSuccess.errorMessage) }
    set { (partialSuccess.rejectedSpans, partialSuccess.errorMessage) = newValue }
  }
}

extension WireExportLogsServiceResponse: WireAnswer {
  fileprivate var outcome: (rejected: Int64, message: String) {
    get { (partialSuccess.rejectedLogRecords, partialSuccess.errorMessage) }
    set { (partialSuccess.rejectedLogRecords, partialSuccess.errorMessage) = newValue }
  }
}

extension WireExportMetricsServiceResponse: WireAnswer {
  fileprivate var outcome: (rejected: Int64, message: String) {
    get { (partialSuccess.rejectedDataPoints, partialSuccess.errorMessage) }
    set { (partialSuccess.rejectedDataPoints, partialSuccess.errorMessage) = newValue }
  }
}
