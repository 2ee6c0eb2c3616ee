/// Calls of a skill, and how many of them failed, in steps of one length, the oldest first.
public struct CallSeries: Sendable, Hashable, Codable {
  /// How many ended in each step.
  public var calls: [Int]
  /// How many of these failed.
  public var failures: [Int]

  /// Creates the series.
  public init(calls: [Int], failures: [Int]) { (self.calls, self.failures) = (calls, failures) }
}

/// How many calls of a skill took about as long.
public struct CallLatency: Sendable, Hashable, Codable {
  /// How long they took at most, in milliseconds; longer than those of the one before.
  public var milliseconds: Double
  /// How many they were.
  public var calls: Int

  /// Creates the count.
  public init(milliseconds: Double, calls: Int) {
    (self.milliseconds, self.calls) = (milliseconds, calls)
  }
}
