package import Catalogue
import Core
package import Providers

/// A cautious estimate of a request, made before it is sent.
package struct Estimate: Sendable {
  /// The model of the request.
  package let model: String
  /// The tokens of the input.
  package let inputTokens: Int
  /// The preferred output limit of the request.
  package let mostOutput: Int
  /// The lowest output limit for which the request is worth sending.
  package let leastOutput: Int
  package let prices: ModelPrices?

  /// Creates an estimate from known figures.
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
  /// Input has the price of cache writes if that is higher.
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

  /// Returns the tokens that the request may use with the given output limit.
  package func tokens(output: Int) -> Int { isFree ? 0 : inputTokens + output }

  /// Returns the cost of the request in US dollars with the given output limit; nil if unknown.
  package func cost(output: Int) -> Double? {
    var usage = Usage(inputTokens: inputTokens, outputTokens: output)
    let plain = prices?.cost(of: usage, on: .today)
    usage.cacheWriteTokens = inputTokens
    let written = prices?.cost(of: usage, on: .today)
    return plain.map { max($0, written ?? 0) }
  }

  /// Returns the highest output limit that the given US dollars pay for; nil if they pay for none.
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
