/// The names of metrics that count the usage of models.
///
/// The names are those of OpenTelemetry's conventions for generative AI. The conventions have no
/// metric for money.
public enum EventMetric: String, Sendable, CaseIterable {
  /// The number of input tokens, including cached ones.
  case inputTokens = "gen_ai.client.inference.usage.input_tokens"
  /// The number of output tokens, including reasoning.
  case outputTokens = "gen_ai.client.inference.usage.output_tokens"
  /// The number of tokens that were read from a cache.
  case cacheReadTokens = "gen_ai.client.inference.usage.cache_read.input_tokens"
  /// The number of tokens that were written to a cache.
  case cacheWriteTokens = "gen_ai.client.inference.usage.cache_write.input_tokens"
  /// The number of output tokens used for reasoning.
  case reasoningTokens = "gen_ai.client.inference.usage.reasoning.output_tokens"
  /// The cost in US dollars.
  case costUSD = "agentpipes.cost_usd"

  /// The label of a point: the sender's start of counting in nanoseconds since 1970.
  ///
  /// A cumulative counter with another start counts from 0 again.
  public static let startLabel = "start_time_unix_nano"
  /// The label of a point that says whether it counts since the start or since the last point.
  public static let temporalityLabel = "temporality"
  /// The value of ``temporalityLabel`` of a counter that counts since the start.
  public static let cumulative = "cumulative"
}
