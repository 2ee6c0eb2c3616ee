import CodingAgents
import Core
import Events

/// The tokens and the cost of a run so far.
struct UsageTotals {
  /// The sums that programs stated, and those of the calls since then.
  private var settled = SessionTotal.Sum()
  private var calls = SessionTotal.Sum()
  private var isKnown = false
  private var hasCost = false

  /// Adds a model call, or its increase.
  mutating func add(_ usage: Usage?, costUSD: Double?, isIncrease: Bool = false) {
    isKnown = true
    hasCost = hasCost || costUSD != nil
    let cost = isIncrease ? costUSD ?? 0 : costUSD
    calls = calls + SessionTotal.Sum(usage ?? Usage(), costUSD: cost)
  }

  /// Replaces the calls since the last stated sums by the given sums of them.
  mutating func settle(_ sum: SessionTotal.Sum) {
    (isKnown, hasCost) = (true, true)
    (settled, calls) = (settled + sum, SessionTotal.Sum())
  }

  /// Sets the cost of the calls since the last stated sums.
  mutating func settle(costUSD: Double) { settle(SessionTotal.Sum(calls.usage, costUSD: costUSD)) }

  /// The cost in US dollars; nil if no cost was reported, or if a part is unknown.
  var costUSD: Double? { hasCost ? (settled + calls).costUSD : nil }

  /// The sums as attributes; empty if nothing was reported.
  var attributes: EventAttributes {
    guard isKnown else { return [:] }
    var attributes = EventAttributes((settled + calls).usage)
    attributes[.costUSD] = costUSD.map(JSONValue.double)
    return attributes
  }
}
