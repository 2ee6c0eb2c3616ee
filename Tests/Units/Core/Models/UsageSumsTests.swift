import Core
import Testing

/// What calls used, added up.
@Suite struct UsageSumsTests {
  /// The sums, each as its key, calls, tokens and cost.
  private func told(_ aspect: UsageSum.Aspect) -> [String] {
    var sums = UsageSums(by: aspect)
    sums.add("b", calls: 2, Usage(inputTokens: 10, outputTokens: 1), costUSD: 0.1)
    sums.add("a", calls: 1, Usage(inputTokens: 5, cacheReadTokens: 4), costUSD: 0)
    sums.add("c", calls: 1, Usage(inputTokens: 500), costUSD: 1)
    sums.add("b", calls: 1, Usage(inputTokens: 20, cacheWriteTokens: 7), costUSD: 0.2)
    sums.add("c", calls: 1, Usage(outputTokens: .max), costUSD: nil)
    sums.add("d", calls: 1, Usage(inputTokens: 5), costUSD: 0.25)
    sums.add("c", calls: 1, Usage(), costUSD: 1)
    return sums.records.map {
      let cached = "\($0.cacheReadTokens)+\($0.cacheWriteTokens)"
      return "\($0.by) \($0.key): \($0.calls) \($0.inputTokens)+\($0.outputTokens) \(cached) "
        + ($0.costUSD.map { "\($0)" } ?? "\($0.knownCostUSD ?? -1) + \($0.unknownCalls ?? 0) ?")
    }
  }

  @Test func `days come in their order, anything else where most was used first`() {
    let (a, b) = ("a: 1 5+0 4+0 0.0", "b: 3 30+1 0+7 0.3")
    let (c, d) = ("c: 3 500+\(Int.max) 0+0 2.0 + 1 ?", "d: 1 5+0 0+0 0.25")
    #expect(told(.day) == [a, b, c, d].map { "day \($0)" })
    #expect(told(.model) == [c, b, a, d].map { "model \($0)" })
  }

  @Test(arguments: [1e308, -5, .infinity, -.infinity, .nan, 1e16])
  func `a cost that cannot be is unknown`(_ cost: Double) {
    var sums = UsageSums(by: .day)
    sums.add("a", calls: 1, Usage(inputTokens: 1), costUSD: 1)
    sums.add("a", calls: 1, Usage(inputTokens: -7, outputTokens: .min), costUSD: cost)
    sums.add("b", calls: -1, Usage(), costUSD: 1e15)
    sums.add("b", calls: .max, Usage(), costUSD: 1e15)
    sums.add("b", calls: .max, Usage(), costUSD: 1e15)
    let records = sums.records
    #expect(records.map(\.costUSD) == [nil, 3e15])
    #expect(records.map(\.knownCostUSD) == [1, nil] && records.map(\.unknownCalls) == [1, nil])
    #expect(records.map(\.tokens) == [1, 0])
    #expect(records.allSatisfy { $0.calls > 0 })
  }

  @Test func `sums that were added up elsewhere keep their known part and their unknown calls`() {
    var first = UsageSums(by: .model)
    first.add("m", calls: 4, Usage(inputTokens: 1), costUSD: nil, known: 0.25, unknown: 3)
    first.add("m", calls: 1, Usage(inputTokens: 1), costUSD: 0.5)
    var sums = UsageSums(by: .model)
    sums.add(first.records)
    sums.add("m", calls: 2, Usage(), costUSD: nil)
    #expect(sums.records.map(\.costUSD) == [nil])
    #expect(sums.records.map(\.knownCostUSD) == [0.75])
    #expect(sums.records.map(\.unknownCalls) == [5])
  }

  @Test func `a counter of tokens without a price makes a cost unknown, but no call`() {
    var sums = UsageSums(by: .session)
    sums.add("s", calls: 0, Usage(inputTokens: 1), costUSD: nil, known: 0.25, unknown: 1)
    var others = UsageSums(by: .session)
    others.add(sums.records)
    #expect(others.records.map(\.costUSD) == [nil])
    #expect(others.records.map(\.knownCostUSD) == [0.25])
    #expect(others.records.map(\.unknownCalls) == [0])
  }

  @Test func `nothing has no sums`() {
    #expect(UsageSums(by: .swarm).records.isEmpty)
  }
}
