public import Core

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
    let count = Int64(received.rejected)
    let isWhole = count == 0 && received.message.isEmpty
    contentType = encoding.contentType
    switch signal {
    case .traces:
      var response = WireExportTraceServiceResponse()
      if !isWhole {
        response.partialSuccess.rejectedSpans = count
        response.partialSuccess.errorMessage = received.message
      }
      body = try WireBody.bytes(of: response, encoding)
    case .logs:
      var response = WireExportLogsServiceResponse()
      if !isWhole {
        response.partialSuccess.rejectedLogRecords = count
        response.partialSuccess.errorMessage = received.message
      }
      body = try WireBody.bytes(of: response, encoding)
    case .metrics:
      var response = WireExportMetricsServiceResponse()
      if !isWhole {
        response.partialSuccess.rejectedDataPoints = count
        response.partialSuccess.errorMessage = received.message
      }
      body = try WireBody.bytes(of: response, encoding)
    }
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
    let told: (Int64, String)?
    switch signal {
    case .traces:
      let answer = try? WireBody.message(WireExportTraceServiceResponse.self, of: body, .json)
      told = answer.map { ($0.partialSuccess.rejectedSpans, $0.partialSuccess.errorMessage) }
    case .logs:
      let answer = try? WireBody.message(WireExportLogsServiceResponse.self, of: body, .json)
      told = answer.map { ($0.partialSuccess.rejectedLogRecords, $0.partialSuccess.errorMessage) }
    case .metrics:
      let answer = try? WireBody.message(WireExportMetricsServiceResponse.self, of: body, .json)
      told = answer.map { ($0.partialSuccess.rejectedDataPoints, $0.partialSuccess.errorMessage) }
    }
    guard let told, told.0 != 0 || !told.1.isEmpty else { return nil }
    return (Int(told.0), told.1)
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
