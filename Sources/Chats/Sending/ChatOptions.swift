/// The options for sending a prompt.
public struct ChatOptions: Sendable {
  /// The names of the models; empty for the default model.
  public var models: [String] = []
  /// The name of the option or member that selects models, for failure messages.
  public var modelOption = "--model"
  /// The model that answers if another is unavailable, or fails before its first word.
  public var fallback: String?
  /// The instructions; nil for those of the continued chat.
  public var system: String?
  /// The sampling temperature.
  public var temperature: Double?
  /// The largest number of output tokens in an answer; nil for each model's default.
  public var maximumOutputTokens: Int?
  /// The level of reasoning effort.
  public var effort: String?
  /// The texts at which a model stops its answer.
  public var stopSequences: [String] = []
  /// `true` to request caching even for the first prompt of a chat.
  public var caches = false
  /// The JSON schema that answers must fit, as text.
  public var schema: String?
  /// The largest number of repair requests for an answer that does not fit the schema.
  public var repairs = 1
  /// The largest cost of all requests together, in US dollars; nil for no limit.
  public var maxCost: Double?
  /// The tools that the model may call; nil for none.
  public var tools: ChatTools?

  /// Creates the default options.
  public init() {}
}
