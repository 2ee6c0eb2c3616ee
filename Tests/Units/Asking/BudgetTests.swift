import Catalogue
import Core
import Testing

@testable import Asking

struct BudgetTests {
  /// An estimate at a dollar for each million tokens of input, and ten for each of output.
  private func estimate(
    input: Int, most: Int = 1000, least: Int = 1000, price: Price? = Price(input: 1, output: 10)
  ) -> Estimate {
    Estimate(
      model: "m", inputTokens: input, mostOutput: most, leastOutput: least,
      prices: price.map { ModelPrices([ModelPrices.Entry(price: $0)]) })
  }

  private func call(_ id: String, cost: Double?, tokens: Int = 10) -> Call {
    var call = Call(
      for: Call.Owner(tool: nil), model: "m", estimatedTokens: tokens, estimatedCostUSD: cost)
    call.id = id
    return call
  }

  private func reserve(
    _ budget: Budget, _ id: String, _ estimate: Estimate
  ) async -> Result<Int, Failure> {
    do throws(Failure) {
      return .success(try await budget.reserve(id, estimate, for: id))
    } catch {
      return .failure(error)
    }
  }

  @Test func `a call that may go past the budget is refused, and its least cost is told`() async {
    let budget = Budget(maxCost: 0.02, maxTokens: nil, spent: Spending())
    let refused = await reserve(budget, "a", estimate(input: 10_001))
    #expect(refused.failure?.code == .budgetExceeded)
    #expect(refused.failure?.explanation.contains("may cost $0.0201") == true)
    #expect(await reserve(budget, "b", estimate(input: 10_000)) == .success(1000))
  }

  @Test func `the output limit is what the budget pays for, down to the least`() async {
    let budget = Budget(maxCost: 0.1, maxTokens: nil, spent: Spending())
    let whole = await reserve(budget, "a", estimate(input: 10_000, most: 32_000, least: 2048))
    #expect(whole == .success(9000))
    let tokens = Budget(maxCost: nil, maxTokens: 10_000, spent: Spending())
    let left = await reserve(tokens, "a", estimate(input: 4000, most: 32_000, least: 2048))
    #expect(left == .success(6000))
  }

  @Test func `calls that start together divide what is left`() async {
    let budget = Budget(maxCost: 0.3, maxTokens: nil, spent: Spending())
    await budget.start(["a", "b", "c"])
    let asked = estimate(input: 10_000, most: 32_000, least: 2048)
    for id in ["a", "b", "c"] { #expect(await reserve(budget, id, asked) == .success(9000)) }
  }

  @Test func `a stage that left frees its share`() async {
    let budget = Budget(maxCost: 0.3, maxTokens: nil, spent: Spending())
    await budget.start(["a", "b", "c"])
    await budget.leave("c")
    let asked = estimate(input: 10_000, most: 32_000, least: 2048)
    #expect(await reserve(budget, "a", asked) == .success(14_000))
  }

  @Test func `a call waits for one in flight, which mostly used less`() async {
    let budget = Budget(maxCost: 1, maxTokens: nil, spent: Spending())
    #expect(await reserve(budget, "a", estimate(input: 900_000)) == .success(1000))
    async let second = reserve(budget, "b", estimate(input: 500_000))
    var first = call("a", cost: 0.91)
    first.outcome = .complete
    first.usage = Usage(inputTokens: 1)
    first.costUSD = 0.1
    await budget.settle(first)
    #expect(await second == .success(1000))
  }

  @Test func `what earlier attempts spent and may have spent counts`() async {
    var spent = Spending()
    spent.add(call("a", cost: 0.3))
    var uncounted = call("b", cost: 0.3)
    uncounted.outcome = .failed
    spent.add(uncounted)
    #expect(spent.costUSD == nil)
    #expect(spent.lostTokens == 20)
    let budget = Budget(maxCost: 1, maxTokens: nil, spent: spent)
    let refused = await reserve(budget, "c", estimate(input: 400_000))
    #expect(refused.failure?.code == .budgetExceeded)
    #expect(await reserve(budget, "c", estimate(input: 390_000)) == .success(1000))
  }

  @Test func `a budget needs to know the price`() async {
    let budget = Budget(maxCost: 1, maxTokens: nil, spent: Spending())
    let refused = await reserve(budget, "a", estimate(input: 1, price: nil))
    #expect(refused.failure?.code == .badConfiguration)
    let tokens = Budget(maxCost: nil, maxTokens: 2000, spent: Spending())
    let large = await reserve(tokens, "a", estimate(input: 1001, price: nil))
    #expect(large.failure?.code == .budgetExceeded)
    #expect(await reserve(tokens, "b", estimate(input: 1000, price: nil)) == .success(1000))
  }

  @Test func `what a provider may write to its cache counts at that price`() {
    let asked = estimate(input: 100_000, price: Price(input: 1, output: 1, cacheWrite: 1.25))
    #expect(asked.cost(output: 0) == 0.125)
  }

  @Test(
    arguments: [
      (0.07, "$0.0700"), (0.0701, "$0.0701"), (0.07005, "$0.0701"), (0.29, "$0.2900"),
      (1.1, "$1.1000"), (12, "$12.0000"), (0.00001, "$0.0001"), (0, "$0.0000"), (1e20, "$1e+20"),
    ])
  func `an amount is rounded up, but not past what it is`(cost: Double, shown: String) {
    #expect(Budget.dollars(cost) == shown)
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
