import Core

/// What a pipeline may still spend; its stages share it.
///
/// A call reserves what it may use at most before it is sent. One that does not fit waits for those
/// in flight to settle, since they mostly use less, and is refused when none is left to wait for.
actor Budget {
  private let maxCost: Double?
  private let maxTokens: Int?
  private var spent: Spending
  private var reservations: [String: Call] = [:]
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(maxCost: Double?, maxTokens: Int?, spent: Spending) {
    self.maxCost = maxCost
    self.maxTokens = maxTokens
    self.spent = spent
  }

  /// Sets what a call may use aside.
  ///
  /// - Throws: `BudgetExceeded`; `BadConfiguration` when a price that the budget needs is unknown.
  func reserve(_ call: Call) async throws(Failure) {
    while let failure = refusal(of: call) {
      guard failure.code == .budgetExceeded, !reservations.isEmpty else { throw failure }
      await withCheckedContinuation { waiting.append($0) }
    }
    reservations[call.id] = call
  }

  /// Counts what a call did use, and frees what it had set aside.
  func settle(_ call: Call) {
    reservations[call.id] = nil
    spent.add(call)
    let resumed = waiting
    waiting = []
    for continuation in resumed { continuation.resume() }
  }

  private func refusal(of call: Call) -> Failure? {
    if let maxTokens {
      // Not in whole numbers: a peer may report counts whose sum has no place in them.
      let reserved = reservations.values.reduce(0.0) { $0 + Double($1.estimatedTokens) }
      let used = Double(spent.usage.totalTokens) + Double(spent.lostTokens)
      if used + reserved + Double(call.estimatedTokens) > Double(maxTokens) {
        return Failure(
          .budgetExceeded,
          "the next call may use \(call.estimatedTokens) tokens; "
            + "\(Int(exactly: used) ?? .max) of \(maxTokens) are used")
      }
    }
    guard let maxCost else { return nil }
    guard let estimate = call.estimatedCostUSD else {
      return Failure(
        .badConfiguration,
        "the price of model '\(call.model)' is unknown, so --max-cost cannot be kept",
        kind: .unknownPrice, input: call.model)
    }
    let known = spent.knownCostUSD
    guard !spent.hasUnknownPrice, let lost = spent.lostCostUSD else {
      return Failure(
        .badConfiguration, "an earlier call's price is unknown, so --max-cost cannot be kept",
        kind: .unknownPrice)
    }
    let reserved = reservations.values.reduce(0) { $0 + ($1.estimatedCostUSD ?? 0) }
    guard known + lost + reserved + estimate > maxCost else { return nil }
    let state = lost > 0 ? "may be spent already" : "are spent"
    return Failure(
      .budgetExceeded,
      "the next call may cost \(Self.dollars(estimate)); \(Self.dollars(known + lost)) of "
        + "$\(Self.plain(maxCost)) \(state)")
  }

  /// An amount in ten-thousandths of a dollar, rounded up: what is said to be needed is enough.
  static func dollars(_ cost: Double) -> String {
    let scaled = cost * 10_000
    guard scaled < 1e15 else { return "$\(plain(cost))" }
    // 0.07 × 10,000 is not 700 in binary.
    let isWhole = abs(scaled - scaled.rounded()) < 1e-6
    let tenThousandths = Int(isWhole ? scaled.rounded() : scaled.rounded(.up))
    let digits = String(tenThousandths % 10_000)
    return "$\(tenThousandths / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// A number as a person would have given it.
  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }
}

extension FailureKind {
  /// Nobody knows what the model costs.
  static let unknownPrice = Self(rawValue: "unknownPrice")
}
