public import Core

/// The sum of several calls.
public struct Spending: Sendable, Hashable {
  /// The tokens that peers reported.
  public var usage = Usage()
  /// What the calls whose cost is known did cost, in US dollars.
  public var knownCostUSD = 0.0
  /// Whether there are tokens whose price is unknown.
  public var hasUnknownPrice = false
  /// Whether the tokens of a call were never counted: it is in flight, or was cut off.
  public var hasUncountedCall = false
  /// The tokens that calls in flight, or without a count, may have used.
  public var lostTokens = 0
  /// What these may have cost; nil when their price is unknown.
  public var lostCostUSD: Double? = 0

  /// Nothing was spent.
  public init() {}

  /// What all calls did cost; nil when a part of it is not known, or never will be.
  public var costUSD: Double? { hasUnknownPrice || hasUncountedCall ? nil : knownCostUSD }

  /// The tokens that peers reported; nil when calls were made and none was counted.
  public var countedUsage: Usage? { hasUncountedCall && usage == Usage() ? nil : usage }

  /// Adds a call.
  public mutating func add(_ call: Call) {
    // What is free costs nothing, however it ends.
    if call.outcome == .running, call.estimatedCostUSD == 0, call.estimatedTokens == 0 { return }
    if call.outcome == .running || (call.usage == nil && call.costUSD == nil) {
      hasUncountedCall = true
      let (sum, isTooLarge) = lostTokens.addingReportingOverflow(call.estimatedTokens)
      lostTokens = isTooLarge ? .max : sum
      lostCostUSD = lostCostUSD.flatMap { sum in call.estimatedCostUSD.map { sum + $0 } }
      return
    }
    if let usage = call.usage { self.usage = self.usage + usage }
    if let cost = call.costUSD {
      knownCostUSD = (knownCostUSD + cost).rounded(places: 12)
    } else if let estimate = call.estimatedCostUSD {
      // Counted on terms that nobody knows the price of: it counts at its estimate.
      hasUncountedCall = true
      lostCostUSD = lostCostUSD.map { $0 + estimate }
    } else {
      hasUnknownPrice = true
    }
  }
}

extension Double {
  /// The nearest number with so many decimal places: binary sums end in noise that is no money.
  fileprivate func rounded(places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
