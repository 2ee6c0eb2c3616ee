import Core
import Testing

@testable import Catalogue

struct PriceTests {
  private let day = Day("2026-11-23")

  private func cost(
    _ name: String, _ usage: Usage, on text: String = "2026-11-23",
    settings: Settings.ModelSettings? = nil, terms: ServiceTerms = ServiceTerms()
  ) throws -> Double? {
    let day = try #require(Day(text))
    return Catalogue.builtIn.facts("anthropic", name, on: day, settings: settings).prices?
      .cost(of: usage, on: day, terms: terms)
  }

  @Test func `a price is decimal to the last digit`() {
    let price = Price(input: 0.1, output: 0.7, cacheRead: 0.3)
    let usage = Usage(inputTokens: 3_000_003, outputTokens: 7, cacheReadTokens: 3_000_000)
    #expect(price.cost(of: usage) == 0.9000052)
    #expect(price.cost(of: usage, times: 1.1) == 0.99000572)
  }

  @Test func `tokens of a kind without a price make the cost unknown`() {
    let price = Price(input: 1, output: 2)
    #expect(price.cost(of: Usage(inputTokens: 10, outputTokens: 10)) == 0.00003)
    #expect(price.cost(of: Usage(inputTokens: 10, outputTokens: 1, cacheReadTokens: 1)) == nil)
  }

  @Test func `tokens that are cached for an hour cost their own`() {
    let price = Price(input: 3, output: 0, cacheRead: 0.3, cacheWrite: 3.75, cacheWrite1h: 6)
    let usage = Usage(
      inputTokens: 1000, outputTokens: 0, cacheReadTokens: 400, cacheWriteTokens: 500,
      cacheWrite1hTokens: 200)
    #expect(price.cost(of: usage) == 0.002745)
  }

  @Test func `absurd counts and prices give a number or nothing`() {
    let usage = Usage(
      inputTokens: .max, outputTokens: .max, cacheReadTokens: .max, cacheWriteTokens: .max,
      cacheWrite1hTokens: .min)
    let price = Price(input: 1, output: 1, cacheRead: 1, cacheWrite: 1, cacheWrite1h: 1)
    #expect(price.cost(of: usage)?.isFinite == true)
    let absurd = Price(input: 1e308, output: .infinity)
    #expect(absurd.cost(of: Usage(inputTokens: 1, outputTokens: 1)) == nil)
  }

  @Test func `a band holds for the whole request, from the next token on`() throws {
    let name = "claude-haiku-5-5"
    #expect(try cost(name, Usage(inputTokens: 100_000, outputTokens: 1000)) == 0.0105)
    #expect(try cost(name, Usage(inputTokens: 100_001, outputTokens: 1000)) == 0.0525005)
    let cached = Usage(
      inputTokens: 120_000, outputTokens: 500, cacheReadTokens: 100_000, cacheWriteTokens: 10_000)
    #expect(try cost(name, cached) == 0.0175)
  }

  @Test func `a call is priced by its day`() throws {
    let usage = Usage(inputTokens: 100_000, outputTokens: 2000, cacheReadTokens: 90_000)
    #expect(try cost("claude-sonnet-5-5", usage) == 0.049)
    #expect(try cost("claude-sonnet-5-5", usage, on: "2026-10-06") == 0.058)
    #expect(try cost("claude-sonnet-5-5", usage, on: "2026-09-27") == nil)
  }

  @Test func `the terms of the answer price it, and unknown terms make the cost unknown`() throws {
    let usage = Usage(inputTokens: 1000, outputTokens: 100)
    let name = "claude-opus-5-5"
    func cost(_ tier: String?, _ geography: String? = nil, _ speed: String? = nil) throws -> Double?
    {
      try self.cost(
        name, usage, terms: ServiceTerms(tier: tier, geography: geography, speed: speed))
    }
    #expect(try cost("standard", "not_available", "standard") == 0.006)
    #expect(try cost("batch") == 0.003)
    #expect(try cost(nil, "us", "fast") == 0.0132)
    #expect(try cost("priority") == nil)
    #expect(try cost(nil, "moon") == nil)
  }

  @Test func `terms that were reported twice, differently, make the cost unknown`() throws {
    let usage = Usage(inputTokens: 1000, outputTokens: 100)
    func cost(_ tiers: [String?]) throws -> Double? {
      var terms = ServiceTerms()
      for tier in tiers { terms.merge(ServiceTerms(tier: tier)) }
      return try self.cost("claude-opus-5-5", usage, terms: terms)
    }
    #expect(try cost(["auto", "standard", "default", nil]) == 0.006)
    #expect(try cost(["batch", nil, "batch"]) == 0.003)
    #expect(try cost(["standard", "batch"]) == nil)
    #expect(try cost(["batch", "standard", "batch"]) == nil)
  }

  @Test func `configured prices go over the published ones, those of a cache in their ratio`()
    throws
  {
    var settings = Settings.ModelSettings()
    settings.inputPricePerMillion = 8
    let usage = Usage(inputTokens: 1000, outputTokens: 10, cacheReadTokens: 1000)
    #expect(try cost("claude-opus-5-5", usage, settings: settings) == 0.0006)
    let terms = ServiceTerms(tier: "unheard-of")
    #expect(try cost("claude-opus-5-5", usage, settings: settings, terms: terms) == 0.0006)
    settings.bands = [ModelRecord.Band(aboveInputTokens: 500)]
    #expect(try cost("claude-opus-5-5", usage, settings: settings) == nil)
  }

  @Test func `a model that nobody knows has no price, and never a relative's`() throws {
    #expect(try cost("claude-next-9", Usage(inputTokens: 1000, outputTokens: 10)) == nil)
    var settings = Settings.ModelSettings()
    (settings.inputPricePerMillion, settings.outputPricePerMillion) = (1, 1)
    let cached = Usage(inputTokens: 10, outputTokens: 1, cacheReadTokens: 5)
    #expect(try cost("claude-next-9", cached, settings: settings) == nil)
  }
}
