/// How a prompt is sent.
public struct ChatOptions: Sendable {
  /// The models that are asked, as they were named; empty for the default.
  public var models: [String] = []
  /// The caller's option or member that names a model, as failures call it.
  public var modelOption = "--model"
  /// Who is asked where a model cannot be, or fails before its first word.
  public var fallback: String?
  /// The instructions; nil for those of the chat that goes on.
  public var system: String?
  /// The sampling temperature.
  public var temperature: Double?
  /// The most tokens of an answer; nil for the usual limit of each model.
  public var maximumOutputTokens: Int?
  /// The level of effort.
  public var effort: String?
  /// Texts that end an answer.
  public var stopSequences: [String] = []
  /// Whether a single prompt is worth keeping in a provider's cache, too.
  public var caches = false
  /// The JSON text of the schema that answers have to fit.
  public var schema: String?
  /// How often a model is asked again whose answer does not fit.
  public var repairs = 1

  /// The usual.
  public init() {}
}
