/// One request to a model, and what it used; kept so that money is counted whatever happens.
public struct Call: Sendable, Hashable {
  /// How a request ended.
  public enum Outcome: String, Sendable {
    /// Not yet, or the process died.
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
  /// The tokens it used, as far as the peer said.
  public var usage: Usage?
  /// What they cost in US dollars; nil when the price is unknown.
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
  /// What they cost in US dollars; nil when a part's price is unknown.
  public var costUSD: Double? = 0
  /// The tokens that calls without an end may have used.
  public var lostTokens = 0
  /// What these may have cost.
  public var lostCostUSD: Double? = 0

  /// Nothing was spent.
  public init() {}

  /// Adds a call.
  public mutating func add(_ call: Call) {
    guard call.outcome != .running else {
      lostTokens += call.estimatedTokens
      lostCostUSD = lostCostUSD.flatMap { sum in call.estimatedCostUSD.map { sum + $0 } }
      return
    }
    guard let usage = call.usage else { return }
    self.usage = self.usage + usage
    costUSD = costUSD.flatMap { sum in call.costUSD.map { (sum + $0).rounded(places: 12) } }
  }
}

extension Double {
  /// The nearest number with so many decimal places: binary sums end in noise that is no money.
  fileprivate func rounded(places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
