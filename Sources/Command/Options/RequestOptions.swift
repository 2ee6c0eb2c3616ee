public import ArgumentParser

/// How often and how long a request to a model is tried.
public struct RequestOptions: ParsableArguments, Sendable {
  /// How often a failed request is sent again.
  @Option(help: ArgumentHelp("Retry a failed request this many times.", visibility: .hidden))
  public var retries: Int?

  /// How long a connection may take to be made.
  @Option(help: ArgumentHelp("Time limit for connecting.", visibility: .hidden))
  public var connectTimeout: Seconds?

  /// How long an answer may pause.
  @Option(help: ArgumentHelp("Time limit for a pause in an answer.", visibility: .hidden))
  public var idleTimeout: Seconds?

  /// How long an answer may take.
  @Option(help: ArgumentHelp("Time limit for a whole answer.", visibility: .hidden))
  public var totalTimeout: Seconds?

  /// How long a request may take, in seconds; nil for what is not told.
  public var timeouts: (connect: Double?, idle: Double?, total: Double?) {
    (connectTimeout?.value, idleTimeout?.value, totalTimeout?.value)
  }

  /// Creates options that are not yet parsed.
  public init() {}

  /// Refuses a negative count.
  public func validate() throws {
    guard retries ?? 0 >= 0 else { throw ValidationError("--retries must not be negative.") }
  }
}
