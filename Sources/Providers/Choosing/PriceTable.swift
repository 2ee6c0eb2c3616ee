public import Core

/// The prices of models: those known here, with what the configuration sets over them.
public struct PriceTable: Sendable {
  /// Prices a million tokens of input and output, in US dollars, as the plan of this program sets
  /// them.
  private static let anthropic: [String: (input: Double, output: Double)] = [
    "claude-opus-4-6": (15, 75),
    "claude-sonnet-4-6": (3, 15),
    "claude-haiku-4-5-20251001": (0.80, 4),
  ]

  /// Prices as developers.openai.com/api/docs/models has them on November 22, 2026.
  private static let openAI = ["gpt-5-mini": Price(input: 0.25, output: 2, cacheRead: 0.025)]

  private let models: [String: Settings.ModelSettings]

  /// Creates the table.
  public init(_ configuration: Settings = Settings()) {
    models = configuration.models
  }

  /// A model's price; nil when nothing is known of it.
  ///
  /// Anthropic's cache prices follow from the input's: 0.1 to read, 1.25 to write, 2 to write for an
  /// hour. Others have those of their own, unless the configuration sets another price.
  ///
  /// - Throws: `BadConfiguration` for a price that is negative or not a number.
  public func price(_ model: ModelName) throws(Failure) -> Price? {
    guard model.provider != .extractive else { return .free }
    let settings = model.configured.flatMap { models[$0] }
    let name = model.configured ?? model.name
    var price = Self.known(model)
    if let input = try checked(settings?.inputPricePerMillion, name) {
      price.input = input
      // It was part of another price.
      price.cacheRead = nil
    }
    price.output = try checked(settings?.outputPricePerMillion, name) ?? price.output
    if model.provider == .anthropic, let input = price.input {
      price.cacheRead = input / 10
      price.cacheWrite = 1.25 * input
      price.cacheWrite1h = 2 * input
    }
    price.cacheRead = try checked(settings?.cacheReadPricePerMillion, name) ?? price.cacheRead
    if let write = try checked(settings?.cacheWritePricePerMillion, name) {
      price.cacheWrite = write
    }
    return price == Price() ? nil : price
  }

  private static func known(_ model: ModelName) -> Price {
    switch model.provider {
    case .anthropic:
      let known = anthropic[model.name]
      return Price(input: known?.input, output: known?.output)
    case .openai: return openAI[model.name] ?? Price()
    case .azure, .github, .local, .apple, .extractive: return Price()
    }
  }

  private func checked(_ price: Double?, _ name: String) throws(Failure) -> Double? {
    guard let price else { return nil }
    guard price.isFinite, price >= 0 else {
      throw Failure(
        .badConfiguration, "'models.\(name)' has a price that is not a number from 0 up",
        input: name)
    }
    return price
  }
}
