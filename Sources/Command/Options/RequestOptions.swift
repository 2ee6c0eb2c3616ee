public import ArgumentParser

/// The retries and time limits of requests to a model.
public struct RequestOptions: ParsableArguments, Sendable {
  /// The number of retries of a failed request.
  @Option(help: ArgumentHelp("Retry a failed request this many times.", visibility: .hidden))
  public var retries: Int?

  /// The time limit for connecting.
  @Option(help: ArgumentHelp("Time limit for connecting.", visibility: .hidden))
  public var connectTimeout: Seconds?

  /// The longest pause in a response.
  @Option(help: ArgumentHelp("Time limit for a pause in an answer.", visibility: .hidden))
  public var idleTimeout: Seconds?

  /// The time limit of the whole response.
  @Option(help: ArgumentHelp("Time limit for a whole answer.", visibility: .hidden))
  public var totalTimeout: Seconds?

  /// The time limits of a request in seconds; nil for the default.
  public var timeouts: (connect: Double?, idle: Double?, total: Double?) {
    (connectTimeout?.value, idleTimeout?.value, totalTimeout?.value)
  }

  /// Creates options that are not yet parsed.
  public init() {}

  /// Rejects a negative number of retries.
  public func validate() throws {
    guard retries ?? 0 >= 0 else { throw ValidationError("--retries must not be negative.") }
  }
}
