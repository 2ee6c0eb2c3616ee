public import Core

/// One request to a model, and what it used; kept so that money is counted whatever happens.
public struct Call: Sendable, Hashable {
  /// How a request ended.
  public enum Outcome: String, Sendable {
    /// Not yet, or the process died before it could tell.
    case running
    /// The whole answer arrived.
    case complete
    /// It was refused, cut or interrupted; it may have used tokens all the same.
    case failed
  }

  /// A UUIDv7.
  public var id: String
  /// The pipeline it was made for.
  public var pipelineId: String?
  /// The stage it was made for; nil for planning.
  public var stageId: String?
  /// The model asked.
  public var model: String
  /// How it ended.
  public var outcome: Outcome
  /// When it was sent.
  public var startedAt: Timestamp
  /// When it ended.
  public var finishedAt: Timestamp?
  /// The tokens it used, as the peer counted them at its end; nil when it did not.
  public var usage: Usage?
  /// What they cost in US dollars; nil when that cannot be known.
  public var costUSD: Double?
  /// The tokens it may use at most.
  public var estimatedTokens: Int
  /// What these would cost in US dollars.
  public var estimatedCostUSD: Double?

  /// Creates a call that is about to be sent.
  public init(
    pipelineId: String?, stageId: String?, model: String, estimatedTokens: Int,
    estimatedCostUSD: Double?
  ) {
    self.id = Identifier.make()
    self.pipelineId = pipelineId
    self.stageId = stageId
    self.model = model
    self.outcome = .running
    self.startedAt = .now
    self.estimatedTokens = estimatedTokens
    self.estimatedCostUSD = estimatedCostUSD
  }
}

/// What the calls of a pipeline add up to.
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
