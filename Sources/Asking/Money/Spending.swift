public import Core

/// The sum of several calls.
public struct Spending: Sendable, Hashable {
  /// The tokens that peers reported.
  public var usage = Usage()
  /// The cost of the calls with a known cost, in US dollars.
  public var knownCostUSD = 0.0
  /// `true` if some tokens have an unknown price.
  public var hasUnknownPrice = false
  /// `true` if the tokens of a call were not counted because it is in flight or was cut off.
  public var hasUncountedCall = false
  /// The tokens that calls in flight, or without a count, may have used.
  public var lostTokens = 0
  /// The possible cost of these tokens; nil if their price is unknown.
  public var lostCostUSD: Double? = 0

  /// Creates an empty sum.
  public init() {}

  /// The cost of all calls; nil if a part of it is unknown.
  public var costUSD: Double? { hasUnknownPrice || hasUncountedCall ? nil : knownCostUSD }

  /// The tokens that peers reported; nil if there were calls and none was counted.
  public var countedUsage: Usage? { hasUncountedCall && usage == Usage() ? nil : usage }

  /// Adds a call.
  public mutating func add(_ call: Call) {
    // A free call costs nothing, whatever its outcome.
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
      // The counted tokens have no known price, so the call counts at its estimate.
      hasUncountedCall = true
      lostCostUSD = lostCostUSD.map { $0 + estimate }
    } else {
      hasUnknownPrice = true
    }
  }
}

extension Double {
  /// Returns the number rounded to decimal places, which removes the rounding errors of binary
  /// sums.
  fileprivate func rounded(places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
