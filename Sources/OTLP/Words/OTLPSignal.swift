/// The signals of OTLP; requests of each have their own path (opentelemetry-proto,
/// docs/specification.md).
public enum OTLPSignal: String, Sendable, CaseIterable {
  /// The spans of `/v1/traces`.
  case traces
  /// The log records of `/v1/logs`.
  case logs
  /// The metrics of `/v1/metrics`.
  case metrics

  /// The path on a server.
  public var path: String { "/v1/\(rawValue)" }
}
