public import Core

/// A model's name and the provider that it belongs to.
///
/// Written `provider/name`, or bare where the name tells: `claude-*` is Anthropic's, `gpt-*`, `dall-e-*`
/// and `o` with a digit OpenAI's, `extractive` the embedded default. Any other bare name is one that the
/// configuration describes under `[models.NAME]`, and what it describes goes first. `anthropic`, `openai`
/// and `github` alone are their usual models.
public struct ModelName: Sendable, Hashable {
  /// Who answers.
  public enum ProviderName: String, Sendable, CaseIterable {
    /// Anthropic's Messages API.
    case anthropic
    /// OpenAI's chat completions and Responses.
    case openai
    /// OpenAI's models at Azure, by the names of their deployments.
    case azure
    /// GitHub Models, by `publisher/name`.
    case github
    /// A server of the user's that speaks chat completions.
    case local
    /// The models of Apple's devices.
    case apple
    /// The embedded default.
    case extractive
  }

  /// Who answers.
  public var provider: ProviderName
  /// The model's name as the provider knows it.
  public var name: String
  /// The name of its `[models.NAME]` in the configuration, where it has one.
  public var configured: String?

  /// Resolves a name.
  ///
  /// - Parameters:
  ///   - text: `provider/name` or a bare name.
  ///   - models: The configuration's models.
  /// - Throws: `NotFound` that names what is known, `BadConfiguration` for a model whose description
  ///   names no provider there is.
  public init(_ text: String, models: [String: Settings.ModelSettings]) throws(Failure) {
    var prefix: ProviderName?
    // A provider alone is its usual model.
    let usual = ProviderName(rawValue: text).flatMap { DefaultModels.name($0) }
    let text = models[text] == nil ? usual ?? text : text
    name = text
    if let slash = text.firstIndex(of: "/"),
      let provider = ProviderName(rawValue: String(text[..<slash]))
    {
      prefix = provider
      name = String(text[text.index(after: slash)...])
    }
    guard !name.isEmpty else { throw Self.unknown(text, models) }
    configured = [text, name].first { models[$0] != nil }
    let settings = configured.flatMap { models[$0] }
    // A description of this name under another provider is of another model.
    if let prefix, let other = settings?.provider, other != prefix.rawValue { configured = nil }
    let described = try Self.provider(of: settings, name: configured ?? text)
    guard let provider = prefix ?? described ?? Self.provider(ofBare: name) else {
      throw Self.unknown(text, models)
    }
    self.provider = provider
    if provider == .extractive {
      guard name == ExtractiveProvider.modelName else { throw Self.unknown(text, models) }
    }
  }

  private static func provider(ofBare name: String) -> ProviderName? {
    if name == ExtractiveProvider.modelName { return .extractive }
    if name.hasPrefix("claude-") { return .anthropic }
    return ["gpt-", "dall-e-"].contains(where: name.hasPrefix) || OpenAIEndpoint.isNumberedO(name)
      ? .openai : nil
  }

  private static func provider(
    of settings: Settings.ModelSettings?, name: String
  ) throws(Failure) -> ProviderName? {
    guard let settings else { return nil }
    guard let word = settings.provider else {
      // Never a provider by the name's looks: its key would go to an endpoint that is not its own.
      return settings.endpoint == nil ? nil : .local
    }
    guard let provider = ProviderName(rawValue: word) else {
      let known = ProviderName.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw Failure(
        .badConfiguration, "'models.\(name).provider' is '\(word)': known are \(known)",
        input: name)
    }
    return provider
  }

  private static func unknown(
    _ text: String, _ models: [String: Settings.ModelSettings]
  ) -> Failure {
    let patterns =
      ["claude-*", "gpt-*", "o<digit>*", "extractive"]
      + ["anthropic", "openai", "azure", "github", "local"].map { "\($0)/NAME" }
    let known = (patterns + models.keys.sorted().prefix(20)).joined(separator: ", ")
    return Failure(
      .notFound, "no model '\(text)' is known: known are \(known)", kind: .model, input: text)
  }
}
