/// Calls of a skill, and how many of them failed, in steps of one length, the oldest first.
public struct CallSeries: Sendable, Equatable {
  /// How many ended in each step.
  public var calls: [Int]
  /// How many of these failed.
  public var failures: [Int]
}
