/// The limits on the rate of a person's controls and decisions, against runaway scripts.
public struct ActionLimits: Sendable, Hashable {
  /// The most controls and decisions per minute.
  public var perMinute = 30
  /// The most terminations per minute.
  public var terminationsPerMinute = 10

  /// Creates the default limits.
  public init() {}
}
