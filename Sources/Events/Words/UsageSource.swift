/// The source from which the usage of a conversation is known.
///
/// Several sources may report the same model calls. The best one counts.
public enum UsageSource: String, Sendable, CaseIterable, Comparable, Codable {
  /// The metrics that a coding agent sends.
  case metrics
  /// The log records that a coding agent sends, one for each call.
  case logs
  /// The transcript of the session, or the program that made the calls.
  case transcript

  /// Returns `true` if the second source is better.
  public static func < (left: UsageSource, right: UsageSource) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
