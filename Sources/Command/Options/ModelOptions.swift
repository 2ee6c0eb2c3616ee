public import ArgumentParser

/// How models are asked, for every tool that asks one.
public struct ModelOptions: ParsableArguments, Sendable {
  /// The model to ask, as `NAME` or `PROVIDER/NAME`.
  @Option(help: "The model to use: NAME or PROVIDER/NAME.", completion: .models)
  public var model: String?

  /// The level of effort.
  @Option(help: ArgumentHelp("Reasoning effort: low, medium, high …", valueName: "level"))
  public var effort: String?

  /// A file that describes roles.
  @Option(
    help: ArgumentHelp("Read each role's model, temperature and prompt.", valueName: "file"),
    completion: .file())
  public var team: String?

  /// How often and how long a request is tried.
  @OptionGroup public var limits: RequestOptions

  /// How often a failed request is sent again.
  public var retries: Int? { limits.retries }

  /// How long a request may take, in seconds; nil for what is not told.
  public var timeouts: (connect: Double?, idle: Double?, total: Double?) { limits.timeouts }

  /// Creates options that are not yet parsed.
  public init() {}
}
