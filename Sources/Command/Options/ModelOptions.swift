public import ArgumentParser

/// The options of every tool that queries a model.
public struct ModelOptions: ParsableArguments, Sendable {
  /// The model to query, as `NAME` or `PROVIDER/NAME`.
  @Option(help: "The model to use: NAME or PROVIDER/NAME.", completion: .models)
  public var model: String?

  /// The effort level.
  @Option(help: ArgumentHelp("Reasoning effort: low, medium, high …", valueName: "level"))
  public var effort: String?

  /// The file that describes roles.
  @Option(
    help: ArgumentHelp("Read each role's model, temperature and prompt.", valueName: "file"),
    completion: .file())
  public var team: String?

  /// The retries and time limits of requests.
  @OptionGroup public var limits: RequestOptions

  /// The number of retries of a failed request.
  public var retries: Int? { limits.retries }

  /// The time limits of a request in seconds; nil for the default.
  public var timeouts: (connect: Double?, idle: Double?, total: Double?) { limits.timeouts }

  /// Creates options that are not yet parsed.
  public init() {}
}
