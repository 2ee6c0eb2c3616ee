public import Core

/// The total use and cost of several calls.
public struct Spending: Sendable, Hashable {
  /// The tokens that providers reported.
  public var usage = Usage()
  /// The cost of all calls whose cost is known, in US dollars.
  public var knownCostUSD = 0.0
  /// `true` if the price of some tokens is unknown.
  public var hasUnknownPrice = false
  /// `true` if the tokens of some call were not counted, because it is in flight or was cut off.
  public var hasUncountedCall = false
  /// The tokens that the uncounted calls may have used.
  public var lostTokens = 0
  /// The possible cost of `lostTokens` in US dollars; nil if their price is unknown.
  public var lostCostUSD: Double? = 0

  /// Creates the total of no calls.
  public init() {}

  /// The cost of all calls in US dollars; nil if any part of it is unknown.
  public var costUSD: Double? { hasUnknownPrice || hasUncountedCall ? nil : knownCostUSD }

  /// The known part of a cost that is not known as a whole; nil if nothing of it is known.
  public var knownPart: Double? { costUSD == nil && knownCostUSD > 0 ? knownCostUSD : nil }

  /// The tokens that providers reported; nil if there were calls but none was counted.
  public var countedUsage: Usage? { hasUncountedCall && usage == Usage() ? nil : usage }

  /// Adds a call.
  public mutating func add(_ call: Call) {
    // A free call in flight costs nothing, whatever its outcome.
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
      // The price of the counted tokens is unknown, so the call counts at its estimate.
      hasUncountedCall = true
      lostCostUSD = lostCostUSD.map { $0 + estimate }
    } else {
      hasUnknownPrice = true
    }
  }
}

extension Double {
  /// Returns the number rounded to the given number of decimal places.
  ///
  /// This removes binary rounding errors.
  fileprivate func rounded(places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
