/// The calls of a skill and their failures in intervals of equal length, the oldest first.
public struct CallSeries: Sendable, Hashable, Codable {
  /// The number of calls that ended in each interval.
  public var calls: [Int]
  /// The number of failed calls in each interval.
  public var failures: [Int]

  /// Creates the series.
  public init(calls: [Int], failures: [Int]) { (self.calls, self.failures) = (calls, failures) }
}

/// A bucket of a latency histogram of a skill's calls.
public struct CallLatency: Sendable, Hashable, Codable {
  /// The upper bound in milliseconds; it exceeds that of the bucket before.
  public var milliseconds: Double
  /// The number of calls.
  public var calls: Int

  /// Creates the bucket.
  public init(milliseconds: Double, calls: Int) {
    (self.milliseconds, self.calls) = (milliseconds, calls)
  }
}
