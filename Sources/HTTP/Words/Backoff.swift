/// The pauses between attempts, which double from the first to the longest pause.
public struct Backoff: Sendable {
  private let first: Double
  private let longest: Double
  /// The current pause in seconds: 0 before the first failure.
  public private(set) var seconds = 0.0
  /// A random time from half of the current pause to the whole, so that clients do not reconnect
  /// simultaneously.
  public var jittered: Double { seconds * Double.random(in: 0.5...1) }

  /// Creates a backoff without a pause.
  ///
  /// - Parameters:
  ///   - first: The first pause, in seconds.
  ///   - longest: The longest pause, in seconds.
  public init(first: Double, longest: Double) {
    (self.first, self.longest) = (first, longest)
  }

  /// Advances to the next pause: the first one, or twice the current one.
  public mutating func grow() { seconds = min(max(first, seconds * 2), longest) }

  /// Resets the pause to 0, as after a success.
  public mutating func reset() { seconds = 0 }
}
