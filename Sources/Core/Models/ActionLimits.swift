/// How often one person may steer and decide, so that a script that went wild does no harm.
public struct ActionLimits: Sendable, Hashable {
  /// Controls and decisions a minute.
  public var perMinute = 30
  /// How many of them may terminate.
  public var terminationsPerMinute = 10

  /// The limits that hold unless the configuration says otherwise.
  public init() {}
}
