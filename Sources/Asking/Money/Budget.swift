package import Core

/// The budget of a pipeline or of prompts, shared by the stages or answers.
///
/// Each call reserves its maximum use before it is sent. Its output limit is the highest that the
/// budget can pay for. Calls that start together share the rest of the budget. A call that does not
/// fit waits until a call in flight settles, because most calls use less than they reserved. If no
/// call is in flight, the call is refused.
package actor Budget {
  private struct Reservation {
    var tokens: Int
    var costUSD: Double?
  }

  private let maxCost: Double?
  private let maxTokens: Int?
  private var spent: Spending
  private var reservations: [String: Reservation] = [:]
  /// The started stages or answers that have not yet reserved anything.
  private var starting: Set<String> = []
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init(maxCost: Double?, maxTokens: Int?, spent: Spending) {
    self.maxCost = maxCost
    self.maxTokens = maxTokens
    self.spent = spent
  }

  /// Records that the given stages or answers start together.
  package func start(_ stages: [String]) { starting.formUnion(stages) }

  /// Records that the given stage or answer will reserve nothing more.
  package func leave(_ stage: String) {
    guard starting.remove(stage) != nil else { return }
    wake()
  }

  /// Reserves the maximum use of the given call.
  ///
  /// - Parameters:
  ///   - id: The id of the call.
  ///   - estimate: The estimate of the request.
  ///   - stage: The stage or the answer that makes the call; nil if neither does.
  /// - Returns: The output limit that the budget pays for.
  /// - Throws: `BudgetExceeded` if the call does not fit and no call is in flight;
  ///   `BadConfiguration` if a price that the budget needs is unknown.
  package func reserve(_ id: String, _ estimate: Estimate, for stage: String?) async throws(Failure)
    -> Int
  {
    while true {
      let others = starting.subtracting(stage.map { [$0] } ?? []).count
      var granted = try output(for: estimate, among: others + 1)
      if granted == nil { granted = try output(for: estimate, among: 1) }
      if let granted {
        if let stage { starting.remove(stage) }
        reservations[id] = Reservation(
          tokens: estimate.tokens(output: granted), costUSD: estimate.cost(output: granted))
        return granted
      }
      guard !reservations.isEmpty else { throw refusal(of: estimate) }
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// Counts the actual use of the given call and frees its reservation.
  package func settle(_ call: Call) {
    reservations[call.id] = nil
    spent.add(call)
    wake()
  }

  private func wake() {
    let resumed = waiting
    waiting = []
    for continuation in resumed { continuation.resume() }
  }

  /// The tokens that ended calls have used or may have used.
  private var usedTokens: Double {
    // The sum is a `Double`, because the counts that a server reports could overflow an integer.
    Double(spent.usage.totalTokens) + Double(spent.lostTokens)
  }

  /// Returns the output limit that the rest of the budget pays for, divided by `shares`; nil if it
  /// is too low.
  ///
  /// - Throws: `BadConfiguration` if a price that the budget needs is unknown.
  private func output(for estimate: Estimate, among shares: Int) throws(Failure) -> Int? {
    guard !estimate.isFree else { return estimate.mostOutput }
    var limit = estimate.mostOutput
    if let maxTokens {
      let reserved = reservations.values.reduce(0.0) { $0 + Double($1.tokens) }
      let left = max(Double(maxTokens) - usedTokens - reserved, 0) / Double(shares)
      limit = min(limit, (Int(exactly: left.rounded(.down)) ?? .max) - estimate.inputTokens)
    }
    if let maxCost {
      let (known, lost) = try spending(estimate)
      let reserved = reservations.values.reduce(0) { $0 + ($1.costUSD ?? 0) }
      // The tolerance covers rounding errors of binary fractions.
      let left = (maxCost - known - lost - reserved) / Double(shares) + 1e-12
      limit = min(limit, estimate.output(for: left) ?? -1)
    }
    return limit >= estimate.leastOutput ? limit : nil
  }

  /// Returns the known cost of the ended calls, and the possible cost of those without token
  /// counts.
  ///
  /// Both are in US dollars.
  private func spending(_ estimate: Estimate) throws(Failure) -> (known: Double, lost: Double) {
    guard estimate.cost(output: 1) != nil else {
      throw Failure(
        .badConfiguration,
        "the price of model '\(estimate.model)' is unknown: --max-cost needs one",
        kind: .unknownPrice, input: estimate.model)
    }
    guard !spent.hasUnknownPrice, let lost = spent.lostCostUSD else {
      throw Failure(
        .badConfiguration, "the price of an earlier call is unknown: --max-cost needs one",
        kind: .unknownPrice)
    }
    return (spent.knownCostUSD, lost)
  }

  /// Returns the failure that explains why a call with the given estimate does not fit.
  private func refusal(of estimate: Estimate) -> Failure {
    let output = estimate.leastOutput
    if let maxTokens, usedTokens + Double(estimate.tokens(output: output)) > Double(maxTokens) {
      return Failure(
        .budgetExceeded,
        "the next call may use \(estimate.tokens(output: output)) tokens; "
          + "\(Int(exactly: usedTokens) ?? .max) of \(maxTokens) tokens are used")
    }
    let lost = spent.lostCostUSD ?? 0
    let state = lost > 0 ? "may already be spent" : "are spent"
    return Failure(
      .budgetExceeded,
      "the next call may cost \(Self.dollars(estimate.cost(output: output) ?? 0)); "
        + "\(Self.dollars(spent.knownCostUSD + lost)) of $\(Self.plain(maxCost ?? 0)) \(state)")
  }

  /// Returns the given amount rounded up to a ten-thousandth of a dollar, so that it suffices as a
  /// budget.
  package static func dollars(_ cost: Double) -> String {
    let scaled = cost * 10_000
    guard scaled < 1e15 else { return "$\(plain(cost))" }
    // In binary, 0.07 × 10,000 is not exactly 700.
    let isWhole = abs(scaled - scaled.rounded()) < 1e-6
    let tenThousandths = Int(isWhole ? scaled.rounded() : scaled.rounded(.up))
    let digits = String(tenThousandths % 10_000)
    return "$\(tenThousandths / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Returns the given number in decimal notation without unnecessary zeros.
  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }
}

extension FailureKind {
  /// The kind of the failure if the price of a model is unknown.
  package static let unknownPrice = Self(rawValue: "unknownPrice")
}
