/// The signals of OTLP, each of which has a path for its requests.
///
/// See opentelemetry-proto, docs/specification.md.
public enum OTLPSignal: String, Sendable, CaseIterable {
  /// The spans of `/v1/traces`.
  case traces
  /// The log records of `/v1/logs`.
  case logs
  /// The metrics of `/v1/metrics`.
  case metrics

  /// The path of the signal's requests on a server.
  public var path: String { "/v1/\(rawValue)" }
}
