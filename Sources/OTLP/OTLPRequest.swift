public import Core

/// A request of OTLP over HTTP, as its body came.
public struct OTLPRequest: Sendable {
  /// What it carries.
  public var signal: OTLPSignal
  /// How it is written.
  public var encoding: OTLPEncoding
  /// Its body, unpacked.
  public var body: [UInt8]

  /// Creates the request.
  ///
  /// - Parameters:
  ///   - signal: What it carries, which its path tells.
  ///   - encoding: How it is written, which its `Content-Type` tells.
  ///   - body: Its body, unpacked.
  public init(_ signal: OTLPSignal, _ encoding: OTLPEncoding, body: [UInt8]) {
    self.signal = signal
    self.encoding = encoding
    self.body = body
  }

  /// The events that it holds.
  ///
  /// A span is a `traceEvent` of phase `end`, before which its events come as such of phase
  /// `progress`; a log record is a `log`, a point a `metric` or several. What another of our logs
  /// sent is as it was there.
  ///
  /// - Parameter now: The instant of records that tell none.
  /// - Returns: The events, and how many records are rejected.
  /// - Throws: `BadInput` for a body that is no such request: it is answered with 400; of kind
  ///   `tooLarge` for one that holds too much, with 413.
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
