public import ArgumentParser

/// The options for retries and time limits of requests to a model.
public struct RequestOptions: ParsableArguments, Sendable {
  /// The number of times that a failed request is retried; nil for the default.
  @Option(help: ArgumentHelp("Retry a failed request this many times.", visibility: .hidden))
  public var retries: Int?

  /// The time limit for establishing a connection.
  @Option(help: ArgumentHelp("Time limit for connecting.", visibility: .hidden))
  public var connectTimeout: Seconds?

  /// The longest time for which a response may pause before it counts as timed out.
  @Option(help: ArgumentHelp("Time limit for a pause in an answer.", visibility: .hidden))
  public var idleTimeout: Seconds?

  /// The time limit for a whole response.
  @Option(help: ArgumentHelp("Time limit for a whole answer.", visibility: .hidden))
  public var totalTimeout: Seconds?

  /// The time limits of a request in seconds.
  ///
  /// Each is nil if the default applies.
  public var timeouts: (connect: Double?, idle: Double?, total: Double?) {
    (connectTimeout?.value, idleTimeout?.value, totalTimeout?.value)
  }

  /// Creates options that are not yet parsed.
  public init() {}

  /// Throws an error if the number of retries is negative.
  public func validate() throws {
    guard retries ?? 0 >= 0 else { throw ValidationError("--retries must not be negative.") }
  }
}
