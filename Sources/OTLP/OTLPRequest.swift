public import Core

/// A request of OTLP over HTTP, with its body still encoded.
public struct OTLPRequest: Sendable {
  /// The signal of the request.
  public var signal: OTLPSignal
  /// The encoding of the body.
  public var encoding: OTLPEncoding
  /// The body, decompressed.
  public var body: [UInt8]

  /// Creates the request.
  ///
  /// - Parameters:
  ///   - signal: The signal, which the path names.
  ///   - encoding: The encoding, which `Content-Type` names.
  ///   - body: The body, decompressed.
  public init(_ signal: OTLPSignal, _ encoding: OTLPEncoding, body: [UInt8]) {
    self.signal = signal
    self.encoding = encoding
    self.body = body
  }

  /// Decodes the request to events.
  ///
  /// A span becomes a `traceEvent` of phase `end`, after one of phase `progress` for each of its
  /// events. A log record becomes a `log`, a point one or several `metric` events. Records of
  /// another of our logs become the events that they were.
  ///
  /// - Parameter now: The time for records without a timestamp.
  /// - Returns: The events and the number of rejected records.
  /// - Throws: `BadInput` for a malformed body, for status 400; of kind `tooLarge` for too many
  ///   records, for status 413.
  public func received(at now: Timestamp = .now) throws(Failure) -> OTLPReceived {
    try RequestSize.check(body, of: signal, encoding)
    let received = try read(at: now)
    guard !received.isOverfull else {
      throw Failure(
        .badInput, "the request contains more than \(OTLPReceived.most) events", kind: .tooLarge,
        status: 413)
    }
    return received
  }

  private func read(at now: Timestamp) throws(Failure) -> OTLPReceived {
    switch signal {
    case .traces:
      var reader = SpanReader(now: now)
      reader.read(try WireBody.message(WireExportTraceServiceRequest.self, of: body, encoding))
      return reader.received
    case .logs:
      var reader = LogReader(now: now)
      reader.read(try WireBody.message(WireExportLogsServiceRequest.self, of: body, encoding))
      return reader.received
    case .metrics:
      var reader = MetricReader(now: now)
      reader.read(try WireBody.message(WireExportMetricsServiceRequest.self, of: body, encoding))
      return reader.received
    }
  }
}
