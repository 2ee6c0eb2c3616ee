public import Core
import Display

extension UsageSum {
  /// The tokens and the cost, as a line for people shows them.
  public var words: String {
    "\(inputTokens) tokens in, \(outputTokens) out, "
      + Numbers.dollars(costUSD, known: knownCostUSD)
  }
}
