public import Core

/// A failed model call that the program makes again.
public struct SessionRetry: Sendable, Hashable {
  /// The failure of the call.
  public var failure: Failure
  /// The number of the retry that follows; nil if unknown.
  public var number: Int?
  /// The largest number of retries; nil if unknown.
  public var most: Int?

  /// Creates the description of a retry.
  public init(after failure: Failure, number: Int?, of most: Int? = nil) {
    (self.failure, self.number, self.most) = (failure, number, most)
  }

  /// The outline of the failure, and the number of the retry.
  public var outline: String {
    guard let number else { return "\(failure.outline), which is repeated" }
    return "\(failure.outline), retry \(number)\(most.map { " of \($0)" } ?? "")"
  }
}
