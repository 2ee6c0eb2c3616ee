package import Catalogue
import Core
package import Providers

/// A cautious estimate of a request, made before it is sent.
package struct Estimate: Sendable {
  /// The model of the request.
  package let model: String
  /// The number of input tokens.
  package let inputTokens: Int
  /// The output limit if the budget allows it.
  package let mostOutput: Int
  /// The lowest output limit for which the request is worth sending.
  package let leastOutput: Int
  package let prices: ModelPrices?

  /// Creates an estimate from the given figures.
  package init(
    model: String, inputTokens: Int, mostOutput: Int, leastOutput: Int, prices: ModelPrices?
  ) {
    self.model = model
    self.inputTokens = inputTokens
    self.mostOutput = mostOutput
    self.leastOutput = leastOutput
    self.prices = prices
  }

  /// Creates an estimate of the given request.
  ///
  /// If cache writes cost more than input, all input is counted at their price.
  package init(_ request: ModelRequest, _ choice: ModelChoice) {
    let most = request.maximumOutputTokens ?? choice.facts.usualOutputTokens
    self.init(
      model: choice.name,
      inputTokens: choice.facts.estimatedTokens(bytes: request.estimatedInputBytes)
        + request.estimatedOverhead,
      mostOutput: most,
      leastOutput: min(
        choice.facts.leastOutputTokens(effort: request.effort ?? choice.effort), most),
      prices: choice.prices)
  }

  /// `true` if the request costs nothing.
  package var isFree: Bool { prices == .free }

  /// Returns the largest number of tokens that the request may use with the given output limit.
  package func tokens(output: Int) -> Int { isFree ? 0 : inputTokens + output }

  /// Returns the cost in US dollars of the request with the given output limit; nil if unknown.
  package func cost(output: Int) -> Double? {
    var usage = Usage(inputTokens: inputTokens, outputTokens: output)
    let plain = prices?.cost(of: usage, on: .today)
    usage.cacheWriteTokens = inputTokens
    let written = prices?.cost(of: usage, on: .today)
    return plain.map { max($0, written ?? 0) }
  }

  /// Returns the highest output limit that the given amount pays for; nil if it is too small.
  ///
  /// The amount is in US dollars.
  package func output(for dollars: Double) -> Int? {
    var (low, high) = (0, mostOutput)
    guard let least = cost(output: 0), least <= dollars else { return nil }
    while low < high {
      let middle = (low + high + 1) / 2
      if let cost = cost(output: middle), cost <= dollars {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return low
  }
}
