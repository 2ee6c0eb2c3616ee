internal import Events

/// A counter of tokens or money, in the terms of OpenTelemetry's conventions for generative AI.
///
/// ``input`` includes cached tokens, and ``output`` includes reasoning.
enum UsageCounter: String, Sendable, CaseIterable {
  case input, output, cacheRead, cacheWrite, reasoning, costUSD

  /// The name of the metric.
  var metric: String {
    let name: EventMetric =
      switch self {
      case .input: .inputTokens
      case .output: .outputTokens
      case .cacheRead: .cacheReadTokens
      case .cacheWrite: .cacheWriteTokens
      case .reasoning: .reasoningTokens
      case .costUSD: .costUSD
      }
    return name.rawValue
  }
}
