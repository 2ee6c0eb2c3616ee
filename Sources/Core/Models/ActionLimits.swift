/// The rate limits of a person's controls and decisions, against scripts that run wild.
public struct ActionLimits: Sendable, Hashable {
  /// The most controls and decisions per minute.
  public var perMinute = 30
  /// The most terminations per minute.
  public var terminationsPerMinute = 10

  /// Creates the default limits.
  public init() {}
}
