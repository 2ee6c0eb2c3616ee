/// Rate limits for a person's controls and decisions, which stop runaway scripts.
public struct ActionLimits: Sendable, Hashable {
  /// The maximum number of controls and decisions per minute.
  public var perMinute = 30
  /// The maximum number of terminations per minute.
  public var terminationsPerMinute = 10

  /// Creates the default limits.
  public init() {}
}
