import Core
import Testing

@testable import Pipelines

struct BudgetTests {
  private func call(cost: Double?, tokens: Int = 10) -> Call {
    Call(
      pipelineId: "p", stageId: "s", model: "m", estimatedTokens: tokens, estimatedCostUSD: cost)
  }

  private func refusal(_ budget: Budget, _ call: Call) async -> FailureCode? {
    do throws(Failure) {
      try await budget.reserve(call)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `a call that may go past the budget is refused`() async {
    let budget = Budget(maxCost: 0.5, maxTokens: nil, spent: Spending())
    #expect(await refusal(budget, call(cost: 0.51)) == .budgetExceeded)
    #expect(await refusal(budget, call(cost: 0.5)) == nil)
  }

  @Test func `a call waits for one in flight, which mostly used less`() async {
    let budget = Budget(maxCost: 1, maxTokens: nil, spent: Spending())
    var first = call(cost: 0.9)
    #expect(await refusal(budget, first) == nil)
    async let second = refusal(budget, call(cost: 0.5))
    first.outcome = .complete
    first.usage = Usage(inputTokens: 1)
    first.costUSD = 0.1
    await budget.settle(first)
    #expect(await second == nil)
  }

  @Test func `what earlier attempts spent and may have spent counts`() async {
    var spent = Spending()
    spent.add(call(cost: 0.3))
    var uncounted = call(cost: 0.3)
    uncounted.outcome = .failed
    spent.add(uncounted)
    #expect(spent.costUSD == nil)
    #expect(spent.lostTokens == 20)
    let budget = Budget(maxCost: 1, maxTokens: nil, spent: spent)
    #expect(await refusal(budget, call(cost: 0.5)) == .budgetExceeded)
    #expect(await refusal(budget, call(cost: 0.4)) == nil)
  }

  @Test func `a budget needs to know the price`() async {
    let budget = Budget(maxCost: 1, maxTokens: nil, spent: Spending())
    #expect(await refusal(budget, call(cost: nil)) == .badConfiguration)
    let free = Budget(maxCost: nil, maxTokens: 100, spent: Spending())
    #expect(await refusal(free, call(cost: nil, tokens: 101)) == .budgetExceeded)
    #expect(await refusal(free, call(cost: nil, tokens: 100)) == nil)
  }

  @Test(
    arguments: [
      (0.07, "$0.0700"), (0.0701, "$0.0701"), (0.07005, "$0.0701"), (0.29, "$0.2900"),
      (1.1, "$1.1000"), (12, "$12.0000"), (0.00001, "$0.0001"), (0, "$0.0000"), (1e20, "$1e+20"),
    ])
  func `an amount is rounded up, but not past what it is`(cost: Double, shown: String) {
    #expect(Budget.dollars(cost) == shown)
  }

  @Test func `options of a run are kept and given ones win`() {
    var first = RunOptions()
    first.yolo = true
    first.maxCost = 0.5
    var second = RunOptions()
    second.maxCost = 2
    let merged = second.over(first.json)
    #expect(merged.yolo == true)
    #expect(merged.maxCost == 2)
    #expect(RunOptions().over(nil) == RunOptions())
  }
}
