public import Core

/// An OTLP request over HTTP.
///
/// Its body is not yet decoded.
public struct OTLPRequest: Sendable {
  /// The signal of the request.
  public var signal: OTLPSignal
  /// The encoding of the body.
  public var encoding: OTLPEncoding
  /// The decompressed body.
  public var body: [UInt8]

  /// Creates the request.
  ///
  /// - Parameters:
  ///   - signal: The signal that the request's path names.
  ///   - encoding: The encoding that the request's `Content-Type` names.
  ///   - body: The decompressed body.
  public init(_ signal: OTLPSignal, _ encoding: OTLPEncoding, body: [UInt8]) {
    self.signal = signal
    self.encoding = encoding
    self.body = body
  }

  /// Decodes the request into events.
  ///
  /// A span becomes a `traceEvent` of phase `end`, preceded by one of phase `progress` for each
  /// event of the span. A log record becomes a `log`, and a point becomes one or more `metric`
  /// events. A record that encodes one of our own events becomes that event again.
  ///
  /// Records of coding agents that follow no convention are read by the agent's own names. Of their
  /// attributes, only those without text and addresses are kept.
  ///
  /// - Parameters:
  ///   - now: The time that is used for records without a timestamp.
  ///   - keepsContent: `true` to keep all attributes of coding agents.
  /// - Returns: The events, and the number of rejected records.
  /// - Throws: `BadInput` if the body is malformed (status 400); `BadInput` of kind `tooLarge` if
  ///   it has too many records (status 413).
  public func received(
    at now: Timestamp = .now, keepingContent keepsContent: Bool = false
  ) throws(Failure) -> OTLPReceived {
    let received = try read(at: now, keepsContent)
    guard !received.isOverfull else {
      throw Failure(
        .badInput, "the request contains more than \(OTLPReceived.most) events", kind: .tooLarge,
        status: 413)
    }
    return received
  }

  private func read(at now: Timestamp, _ keepsContent: Bool) throws(Failure) -> OTLPReceived {
    switch signal {
    case .traces:
      var reader = SpanReader(now: now, keepsContent: keepsContent)
      reader.read(try WireBody.message(WireRequest.self, of: body, encoding))
      return reader.received
    case .logs:
      var reader = LogReader(now: now, keepsContent: keepsContent)
      reader.read(try WireBody.message(WireRequest.self, of: body, encoding))
      return reader.received
    case .metrics:
      var reader = MetricReader(now: now, keepsContent: keepsContent)
      reader.read(try WireBody.message(WireRequest.self, of: body, encoding))
      return reader.received
    }
  }
}
