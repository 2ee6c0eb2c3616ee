/// The numbers of a skill's calls and failed calls in consecutive intervals of equal length.
///
/// The oldest interval is first.
public struct CallSeries: Sendable, Hashable, Codable {
  /// The number of calls that ended in each interval.
  public var calls: [Int]
  /// The number of failed calls in each interval.
  public var failures: [Int]

  /// Creates the series.
  public init(calls: [Int], failures: [Int]) { (self.calls, self.failures) = (calls, failures) }
}

/// One bucket of the latency histogram for a skill's calls.
public struct CallLatency: Sendable, Hashable, Codable {
  /// The bucket's upper bound in milliseconds.
  ///
  /// The lower bound is that of the previous bucket.
  public var milliseconds: Double
  /// The number of calls in the bucket.
  public var calls: Int

  /// Creates the bucket.
  public init(milliseconds: Double, calls: Int) {
    (self.milliseconds, self.calls) = (milliseconds, calls)
  }
}
