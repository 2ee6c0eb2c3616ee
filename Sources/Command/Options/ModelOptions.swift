public import ArgumentParser

/// The options of each tool that queries a model.
public struct ModelOptions: ParsableArguments, Sendable {
  /// The model to query, as `NAME` or `PROVIDER/NAME`.
  @Option(help: "The model to use: NAME or PROVIDER/NAME.", completion: .models)
  public var model: String?

  /// The requested level of reasoning effort.
  @Option(help: ArgumentHelp("Reasoning effort: low, medium, high …", valueName: "level"))
  public var effort: String?

  /// The path of the file that describes roles.
  @Option(
    help: ArgumentHelp("Read each role's model, temperature and prompt.", valueName: "file"),
    completion: .file())
  public var team: String?

  /// The options for retries and time limits.
  @OptionGroup public var limits: RequestOptions

  /// The number of times that a failed request is retried; nil for the default.
  public var retries: Int? { limits.retries }

  /// The time limits of a request in seconds.
  ///
  /// Each is nil if the default applies.
  public var timeouts: (connect: Double?, idle: Double?, total: Double?) { limits.timeouts }

  /// Creates options that are not yet parsed.
  public init() {}
}
