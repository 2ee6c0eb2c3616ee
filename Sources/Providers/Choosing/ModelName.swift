public import Catalogue
public import Core

/// A model's name together with its provider.
///
/// A user writes `provider/name`, or the bare name if the catalogue knows its provider. A bare name
/// may also be `extractive`, an alias, or the NAME of `[models.NAME]` in the configuration. The
/// configuration takes precedence. The name of a provider alone means the provider's default model.
public struct ModelName: Sendable, Hashable {
  /// A provider of models.
  public enum ProviderName: String, Sendable, CaseIterable {
    /// Anthropic's Messages API.
    case anthropic
    /// OpenAI's chat completions and Responses APIs.
    case openai
    /// Models of OpenAI that run at Azure and are named by deployment.
    case azure
    /// GitHub Models.
    ///
    /// Their names have the form `publisher/name`.
    case github
    /// A server of the user that offers the chat completions API.
    case local
    /// Apple's on-device models.
    case apple
    /// The embedded default model.
    case extractive
  }

  /// The provider of the model.
  public var provider: ProviderName
  /// The provider's name for the model.
  public var name: String
  /// The NAME under which `[models.NAME]` configures the model; nil if it is not configured.
  public var configured: String?

  /// Resolves the name that a user wrote.
  ///
  /// - Parameters:
  ///   - text: `provider/name` or a bare name.
  ///   - settings: The configuration, with its models and aliases.
  ///   - catalogue: The catalogue, with its names.
  /// - Throws: `NotFound`, which lists the known names, if the name is unknown; `BadConfiguration`
  ///   if the configuration gives the model an unknown provider.
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
    // A configured model of this name that has another provider is a different model.
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
      // The provider is not guessed from the name, because its key would then go to another
      // endpoint.
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
