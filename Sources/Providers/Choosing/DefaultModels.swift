import Core

/// The models that are asked where only a provider, or nothing at all, is named.
enum DefaultModels {
  /// The providers whose keys are looked for where nothing is named, in this order.
  static let asked: [ModelName.ProviderName] = [.anthropic, .openai]

  /// The model that draws where nothing names one.
  static let image = "openai/gpt-image-1"

  /// That of OpenAI is small, so that nobody is surprised by its price.
  private static let usual: [ModelName.ProviderName: String] = [
    .anthropic: "claude-sonnet-4-6", .openai: "gpt-5-mini", .github: "openai/gpt-4o",
  ]
  /// A plan is what all the others work by.
  private static let ceo: [ModelName.ProviderName: String] = [.anthropic: "claude-opus-4-6"]

  /// A provider's model for a role, or for anybody, as `provider/name`; nil where it has none.
  static func name(_ provider: ModelName.ProviderName, role: Role? = nil) -> String? {
    let name = (role == .ceo ? ceo[provider] : nil) ?? usual[provider]
    return name.map { "\(provider.rawValue)/\($0)" }
  }
}
