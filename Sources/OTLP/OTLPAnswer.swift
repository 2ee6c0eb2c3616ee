public import Core
internal import SwiftProtobuf

/// The body of the answer to a request of OTLP, in the encoding of the request.
public struct OTLPAnswer: Sendable {
  /// Its bytes.
  public var body: [UInt8]
  /// Its `Content-Type`.
  public var contentType: String

  /// The answer, with the status 200, to a request whose events are kept.
  ///
  /// - Parameters:
  ///   - signal: What the request carried.
  ///   - encoding: How it was written.
  ///   - received: What it held: what of it was rejected is told.
  /// - Throws: Nothing that these messages cause.
  public init(
    _ signal: OTLPSignal, _ encoding: OTLPEncoding, to received: OTLPReceived
  ) throws(Failure) {
    contentType = encoding.contentType
    body = try WireBody.bytes(
      of: Self.message(signal).telling(Int64(received.rejected), received.message), encoding)
  }

  /// The answer to a request that failed: a `google.rpc.Status`.
  ///
  /// - Parameters:
  ///   - status: The status of HTTP that it goes with.
  ///   - encoding: How the request was written.
  ///   - message: What is the matter, in a sentence.
  /// - Throws: Nothing that this message causes.
  public init(
    failed status: Int, _ encoding: OTLPEncoding, message: String
  ) throws(Failure) {
    var told = WireRequestStatus()
    told.code = Self.code(ofStatus: status)
    told.message = message
    contentType = encoding.contentType
    body = try WireBody.bytes(of: told, encoding)
  }

  /// What a server said in an answer that its status does not tell: how much it rejected, and why.
  ///
  /// - Parameters:
  ///   - body: The body of an answer to a request in JSON.
  ///   - signal: What the request carried.
  /// - Returns: How many spans, log records or points were rejected, and a sentence, which may be
  ///   empty; nil for an answer that says nothing.
  public static func partialSuccess(
    _ body: [UInt8], to signal: OTLPSignal
  ) -> (rejected: Int, message: String)? {
    let told = try? WireBody.message(Self.message(signal), of: body, .json).told
    guard let told, told.rejected != 0 || !told.message.isEmpty else { return nil }
    return (Int(told.rejected), told.message)
  }

  private static func message(_ signal: OTLPSignal) -> any WireAnswer.Type {
    switch signal {
    case .traces: WireExportTraceServiceResponse.self
    case .logs: WireExportLogsServiceResponse.self
    case .metrics: WireExportMetricsServiceResponse.self
    }
  }

  /// The code of gRPC that a status of HTTP is the like of (google.rpc.Code).
  private static func code(ofStatus status: Int) -> Int32 {
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

/// What a server answers: how much it rejected, and why.
private protocol WireAnswer: SwiftProtobuf.Message {
  var told: (rejected: Int64, message: String) { get set }
}

extension WireAnswer {
  /// An answer that tells so, or nothing where there is nothing to tell.
  fileprivate static func telling(_ rejected: Int64, _ message: String) -> Self {
    var answer = Self()
    if rejected != 0 || !message.isEmpty { answer.told = (rejected, message) }
    return answer
  }
}

extension WireExportTraceServiceResponse: WireAnswer {
  fileprivate var told: (rejected: Int64, message: String) {
    get { (partialSuccess.rejectedSpans, partialSuccess.errorMessage) }
    set { (partialSuccess.rejectedSpans, partialSuccess.errorMessage) = newValue }
  }
}

extension WireExportLogsServiceResponse: WireAnswer {
  fileprivate var told: (rejected: Int64, message: String) {
    get { (partialSuccess.rejectedLogRecords, partialSuccess.errorMessage) }
    set { (partialSuccess.rejectedLogRecords, partialSuccess.errorMessage) = newValue }
  }
}

extension WireExportMetricsServiceResponse: WireAnswer {
  fileprivate var told: (rejected: Int64, message: String) {
    get { (partialSuccess.rejectedDataPoints, partialSuccess.errorMessage) }
    set { (partialSuccess.rejectedDataPoints, partialSuccess.errorMessage) = newValue }
  }
}
