import Core
import Testing

@testable import Providers

struct PriceTests {
  private func price(_ name: String, _ settings: [String: Settings.ModelSettings] = [:])
    throws -> Price?
  {
    var configuration = Settings()
    configuration.models = settings
    return try PriceTable(configuration).price(ModelName(name, models: settings))
  }

  @Test(
    arguments: [
      ("claude-opus-4-6", 15.0, 75.0), ("claude-sonnet-4-6", 3, 15),
      ("claude-haiku-4-5-20251001", 0.8, 4),
    ])
  func `the known models have their prices`(name: String, input: Double, output: Double) throws {
    let cost = try price(name)?.cost(of: Usage(inputTokens: 812, outputTokens: 240))
    let expected = (812 * input + 240 * output) / 1_000_000
    #expect(abs(try #require(cost) - expected) < 1e-9)
  }

  @Test func `each published price is whole, has its day and its source, and is there once`() {
    let rows = PublishedPrice.all
    #expect(rows.count == 6)
    #expect(Set(rows.map { "\($0.provider)/\($0.model)" }).count == rows.count)
    for row in rows {
      let price = row.price
      let all = [price.input, price.output, price.cacheRead, price.cacheWrite]
      #expect(all.allSatisfy { ($0 ?? 0) > 0 }, "\(row.model)")
      #expect(row.asOf.wholeMatch(of: #/20\d\d-[01]\d-[0-3]\d/#) != nil && !row.source.isEmpty)
    }
  }

  @Test(arguments: ["claude-opus-4-6", "claude-sonnet-4-6", "claude-haiku-4-5-20251001"])
  func `Anthropic's published prices of the cache follow from the input's`(name: String) throws {
    var settings = Settings.ModelSettings()
    settings.inputPricePerMillion = try price(name)?.input
    let followed = try #require(try price(name, [name: settings]))
    let published = try #require(try price(name))
    for part: KeyPath<Price, Double?> in [\.cacheRead, \.cacheWrite, \.cacheWrite1h] {
      #expect(abs((followed[keyPath: part] ?? -1) - (published[keyPath: part] ?? -2)) < 1e-12)
    }
  }

  @Test func `the default of each provider has a price`() throws {
    let usage = Usage(inputTokens: 1000, outputTokens: 100, cacheReadTokens: 400)
    let cost = try #require(try price("gpt-5-mini")?.cost(of: usage))
    #expect(abs(cost - (600 * 0.25 + 400 * 0.025 + 100 * 2) / 1_000_000) < 1e-12)
    for provider in ["anthropic", "openai", "github"] { #expect(try price(provider) != nil) }
    #expect(try price("anthropic") == price("claude-sonnet-4-6"))
    #expect(try price("github")?.cost(of: usage) == price("gpt-4o")?.cost(of: usage))
  }

  @Test func `Anthropic's cache tokens have their own factors`() throws {
    let usage = Usage(
      inputTokens: 1000, outputTokens: 0, cacheReadTokens: 400, cacheWriteTokens: 500,
      cacheWrite1hTokens: 200)
    let cost = try #require(try price("claude-sonnet-4-6")?.cost(of: usage))
    #expect(abs(cost - 3 * (100 + 40 + 300 * 1.25 + 200 * 2) / 1_000_000) < 1e-9)
  }

  @Test func `an unknown model has no price`() throws {
    #expect(try price("gpt-unheard-of") == nil)
    #expect(try price("local/gpt-5-mini", ["gpt-5-mini": .init()]) == nil)
    #expect(try price("claude-unheard-of") == nil)
  }

  @Test func `extraction costs nothing`() throws {
    #expect(try price("extractive")?.cost(of: Usage(inputTokens: 9, outputTokens: 9)) == 0)
  }

  @Test func `the configuration's prices go over the known ones`() throws {
    var settings = Settings.ModelSettings()
    settings.inputPricePerMillion = 1
    let found = try price("claude-sonnet-4-6", ["claude-sonnet-4-6": settings])
    #expect(found?.input == 1)
    #expect(found?.output == 15)
    #expect(found?.cacheRead == 0.1)
  }

  @Test func `cached tokens of another provider need a price of their own`() throws {
    var settings = Settings.ModelSettings()
    settings.inputPricePerMillion = 1
    settings.outputPricePerMillion = 2
    let found = try #require(try price("gpt-5-mini", ["gpt-5-mini": settings]))
    #expect(found.cost(of: Usage(inputTokens: 10, outputTokens: 10)) == 30.0 / 1_000_000)
    #expect(found.cost(of: Usage(inputTokens: 10, outputTokens: 10, cacheReadTokens: 1)) == nil)
  }

  @Test func `absurd counts give a number`() throws {
    let usage = Usage(
      inputTokens: .max, outputTokens: .max, cacheReadTokens: .max, cacheWriteTokens: .max,
      cacheWrite1hTokens: .min)
    #expect(try price("claude-opus-4-6")?.cost(of: usage)?.isFinite == true)
  }

  @Test(arguments: [-1, Double.nan, .infinity])
  func `a price that is none is a fault of the configuration`(value: Double) {
    var settings = Settings.ModelSettings()
    settings.outputPricePerMillion = value
    #expect { try price("claude-opus-4-6", ["claude-opus-4-6": settings]) } throws: {
      ($0 as? Failure)?.code == .badConfiguration
    }
  }
}
