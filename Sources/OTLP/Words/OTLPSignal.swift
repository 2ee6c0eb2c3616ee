/// The signals of OTLP.
///
/// Each has its own path for requests.
///
/// See opentelemetry-proto, docs/specification.md.
public enum OTLPSignal: String, Sendable, CaseIterable {
  /// Spans, sent to `/v1/traces`.
  case traces
  /// Log records, sent to `/v1/logs`.
  case logs
  /// Metrics, sent to `/v1/metrics`.
  case metrics

  /// The path on a server to which requests of the signal are sent.
  public var path: String { "/v1/\(rawValue)" }
}
