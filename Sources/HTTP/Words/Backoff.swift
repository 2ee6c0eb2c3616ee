/// The pauses between attempts.
///
/// Each pause is twice the previous one, up to the longest pause.
public struct Backoff: Sendable {
  private let first: Double
  private let longest: Double
  /// The current pause in seconds; 0 before the first failure.
  public private(set) var seconds = 0.0
  /// A random time between half of the current pause and the whole pause, in seconds.
  ///
  /// It prevents clients from reconnecting simultaneously.
  public var jittered: Double { seconds * Double.random(in: 0.5...1) }

  /// Creates a backoff whose current pause is 0.
  ///
  /// - Parameters:
  ///   - first: The first pause, in seconds.
  ///   - longest: The longest pause, in seconds.
  public init(first: Double, longest: Double) {
    (self.first, self.longest) = (first, longest)
  }

  /// Advances to the next pause: the first one, or twice the current one.
  public mutating func grow() { seconds = min(max(first, seconds * 2), longest) }

  /// Resets the pause to 0, after a success.
  public mutating func reset() { seconds = 0 }
}
