/// What a request of OTLP carries; each has a path of its own (opentelemetry-proto,
/// docs/specification.md).
public enum OTLPSignal: String, Sendable, CaseIterable {
  /// `/v1/traces`.
  case traces
  /// `/v1/logs`.
  case logs
  /// `/v1/metrics`.
  case metrics

  /// The path after the address of a server.
  public var path: String { "/v1/\(rawValue)" }
}
