public import ArgumentParser

/// The retries and time limits of requests to a model.
public struct RequestOptions: ParsableArguments, Sendable {
  /// The number of retries of a failed request.
  @Option(help: ArgumentHelp("Send a failed request so often again.", visibility: .hidden))
  public var retries: Int?

  /// The time limit for connecting.
  @Option(help: ArgumentHelp("Give up connecting after so long.", visibility: .hidden))
  public var connectTimeout: Seconds?

  /// The longest pause in a response.
  @Option(help: ArgumentHelp("Give up an answer that pauses so long.", visibility: .hidden))
  public var idleTimeout: Seconds?

  /// The time limit of the whole response.
  @Option(help: ArgumentHelp("Give up an answer after so long.", visibility: .hidden))
  public var totalTimeout: Seconds?

  /// The time limits of a request in seconds; nil for the default.
  public var timeouts: (connect: Double?, idle: Double?, total: Double?) {
    (connectTimeout?.value, idleTimeout?.value, totalTimeout?.value)
  }

  /// Creates options that are not yet parsed.
  public init() {}

  /// Rejects a negative count.
  public func validate() throws {
    guard retries ?? 0 >= 0 else { throw ValidationError("--retries must not be negative.") }
  }
}
