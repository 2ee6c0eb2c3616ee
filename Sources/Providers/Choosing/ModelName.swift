public import Catalogue
public import Core

/// A model's name and the provider that it belongs to.
///
/// It is written `provider/name`, or bare if the catalogue knows who has models of such names. A bare
/// name may also be `extractive`, a short name, or one that the configuration describes under
/// `[models.NAME]`, which goes first. A provider's name alone is its default model.
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
  ///   - settings: The configuration, with its models and short names.
  ///   - catalogue: The catalogue, with its names.
  /// - Throws: `NotFound` that names what is known, `BadConfiguration` for a model whose description
  ///   names no provider there is.
  public init(
    _ text: String, _ settings: Settings = Settings(), catalogue: Catalogue = .builtIn
  ) throws(Failure) {
    let models = settings.models
    var prefix: ProviderName?
    var text = text
    if models[text] == nil {
      let usual = ProviderName(rawValue: text).flatMap { provider in
        catalogue.defaultModel(of: text).map { "\(provider.rawValue)/\($0)" }
      }
      text = settings.aliases[text] ?? catalogue.model(ofAlias: text) ?? usual ?? text
    }
    name = text
    if let slash = text.firstIndex(of: "/"),
      let provider = ProviderName(rawValue: String(text[..<slash]))
    {
      prefix = provider
      name = String(text[text.index(after: slash)...])
    }
    guard !name.isEmpty else { throw Self.unknown(text, settings, catalogue) }
    configured = [text, name].first { models[$0] != nil }
    let own = configured.flatMap { models[$0] }
    // A description of this name under another provider is of another model.
    if let prefix, let other = own?.provider, other != prefix.rawValue { configured = nil }
    let described = try Self.provider(of: own, name: configured ?? text)
    guard let provider = prefix ?? described ?? Self.provider(ofBare: name, catalogue) else {
      throw Self.unknown(text, settings, catalogue)
    }
    self.provider = provider
    if provider == .extractive {
      guard name == ExtractiveProvider.modelName else {
        throw Self.unknown(text, settings, catalogue)
      }
    }
  }

  private static func provider(
    ofBare name: String, _ catalogue: Catalogue
  ) -> ProviderName? {
    if name == ExtractiveProvider.modelName { return .extractive }
    return catalogue.provider(ofName: name).flatMap { ProviderName(rawValue: $0.provider) }
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
        .badConfiguration, "'models.\(name).provider' is '\(word)': expected one of \(known)",
        input: name)
    }
    return provider
  }

  private static func unknown(
    _ text: String, _ settings: Settings, _ catalogue: Catalogue
  ) -> Failure {
    let patterns =
      catalogue.shortNames + catalogue.namePatterns + ["extractive"]
      + ["anthropic", "openai", "azure", "local"].map { "\($0)/NAME" }
    let own = Set(settings.models.keys).union(settings.aliases.keys).sorted().prefix(20)
    let known = (patterns + own).joined(separator: ", ")
    return Failure(
      .notFound, "unknown model '\(text)': known models are \(known)", kind: .model, input: text)
  }
}
