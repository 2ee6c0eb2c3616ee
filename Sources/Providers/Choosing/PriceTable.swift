public import Core

/// The prices of models: those of ``PublishedPrice``, with what the configuration sets over them.
public struct PriceTable: Sendable {
  private let models: [String: Settings.ModelSettings]

  /// Creates the table.
  public init(_ configuration: Settings = Settings()) {
    models = configuration.models
  }

  /// A model's price; nil when nothing is known of it.
  ///
  /// A configured price for input takes the place of the cache's too, since they were parts of another
  /// price; at Anthropic they follow from it: 0.1 to read, 1.25 to write, 2 to write for an hour.
  ///
  /// - Throws: `BadConfiguration` for a price that is negative or not a number.
  public func price(_ model: ModelName) throws(Failure) -> Price? {
    guard model.provider != .extractive else { return .free }
    let settings = model.configured.flatMap { models[$0] }
    let name = model.configured ?? model.name
    var price = Self.published(model)
    if let input = try checked(settings?.inputPricePerMillion, name) {
      price = Price(input: input, output: price.output)
      if model.provider == .anthropic {
        price.cacheRead = input / 10
        price.cacheWrite = 1.25 * input
        price.cacheWrite1h = 2 * input
      }
    }
    price.output = try checked(settings?.outputPricePerMillion, name) ?? price.output
    price.cacheRead = try checked(settings?.cacheReadPricePerMillion, name) ?? price.cacheRead
    price.cacheWrite = try checked(settings?.cacheWritePricePerMillion, name) ?? price.cacheWrite
    return price == Price() ? nil : price
  }

  private static func published(_ model: ModelName) -> Price {
    PublishedPrice.all.first {
      $0.provider == model.provider.rawValue && $0.model == model.name
    }?.price ?? Price()
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
