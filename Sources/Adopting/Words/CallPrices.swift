import Catalogue
import Core
import Sessions

/// The prices of model calls whose cost no transcript states.
struct CallPrices: Sendable {
  /// The prices of the catalogue.
  static let builtIn = CallPrices()

  /// Returns the cost of the given call in US dollars; nil if the price is unknown.
  ///
  /// A subscription is not billed by the call; the cost is then what the calls would cost without.
  func cost(of call: SessionCall, by agent: SessionAgent, at instant: Timestamp) -> Double? {
    if let cost = call.costUSD { return cost }
    guard let model = call.model, let provider = agent.provider else { return nil }
    let day = Day(instant)
    return Catalogue.builtIn.facts(provider, model, on: day).prices?.cost(of: call.usage, on: day)
  }
}
