import Core
import Foundation
import Testing

@testable import Catalogue

struct CatalogueTests {
  private static let text = PackageResources.models_ndjson

  private static var rows: [CatalogueRow] {
    text.split(separator: UInt8(ascii: "\n")).compactMap { JSONObject(Array($0)) }
      .compactMap(CatalogueRow.init)
  }

  @Test
  func `each line of the data is a JSON object with sorted keys, and each row has its source`()
    throws
  {
    for line in Self.text.split(separator: UInt8(ascii: "\n")) {
      let object = try #require(JSONObject(Array(line)))
      #expect(object.json == String(decoding: line, as: UTF8.self))
      guard object.string("type") == "model" else { continue }
      let row = try #require(CatalogueRow(object))
      #expect(row.entry.asOf != nil && row.entry.source?.isEmpty == false, "\(row.name)")
    }
  }

  @Test func `the rows of a model follow each other without a gap`() throws {
    for (name, rows) in Dictionary(grouping: Self.rows, by: { "\($0.provider)/\($0.name)" }) {
      for (earlier, later) in zip(rows, rows.dropFirst()) {
        #expect(earlier.entry.until == later.entry.from, "\(name)")
      }
    }
  }

  @Test func `no default retires within 60 days of the day on which the data was checked`() throws {
    let day = try #require(Catalogue.builtIn.asOf)
    #expect(Catalogue.builtIn.defaults.count == 4)
    for (provider, name) in Catalogue.builtIn.defaults {
      let facts = Catalogue.builtIn.facts(provider, name, on: day)
      #expect(facts.isKnown && facts.daysLeft(on: day) == nil, "\(name)")
      #expect(facts.prices?.entry(on: day) != nil, "\(name)")
    }
  }

  @Test func `short names and replacements lead to models that are known`() throws {
    let day = try #require(Catalogue.builtIn.asOf)
    for alias in Catalogue.builtIn.shortNames {
      let name = try #require(Catalogue.builtIn.model(ofAlias: alias))
      let provider = try #require(Catalogue.builtIn.provider(ofName: name)?.provider)
      #expect(Catalogue.builtIn.facts(provider, name, on: day).isKnown)
    }
    for row in Self.rows {
      guard let next = row.facts.replacement else { continue }
      #expect(Catalogue.builtIn.facts(row.provider, next, on: day).daysLeft(on: day) == nil)
    }
  }

  @Test func `a catalogue from the future is read, as far as it is understood`() throws {
    let day = try #require(Day("2026-11-23"))
    let catalogue = Catalogue(
      Array(
        """
        {"type":"model","provider":"anthropic","name":"claude-9","kind":"chat","from":"2026-11-24"}
        {"type":"model","provider":"anthropic","name":"claude-8","kind":"video","mood":[1,{"a":2}]}
        {"type":"spaceship","provider":"anthropic","name":"claude-7"}
        {"type":"model","provider":"anthropic","name":"claude-6","kind":"chat","thinking":"maybe"}
        not JSON
        """.utf8))
    #expect(!catalogue.facts("anthropic", "claude-9", on: day).isKnown)
    let next = try #require(Day("2026-11-24"))
    #expect(catalogue.facts("anthropic", "claude-9", on: next).isKnown)
    #expect(catalogue.facts("anthropic", "claude-8", on: day).kind == "video")
    #expect(!catalogue.facts("anthropic", "claude-7", on: day).isKnown)
    #expect(catalogue.facts("anthropic", "claude-6", on: day).thinking == nil)
    #expect(catalogue.names(of: "anthropic", on: day) == ["claude-8", "claude-6"])
  }

  @Test func `random bytes are no catalogue, and no crash`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var text = Self.text
      for _ in 0..<20 {
        text[Int.random(in: 0..<text.count, using: &generator)] = .random(in: 0...255)
      }
      let catalogue = Catalogue(Array(text.shuffled().prefix(2000)) + text.prefix(4000))
      _ = catalogue.facts("anthropic", "claude-opus-5-5")
      _ = catalogue.names(of: "openai")
    }
  }

  @Test func `a parameter is taken, refused or unknown`() {
    func facts(_ provider: String, _ name: String) -> ModelFacts {
      Catalogue.builtIn.facts(provider, name)
    }
    #expect(facts("anthropic", "claude-opus-4-6").accepts(.temperature) == true)
    #expect(facts("anthropic", "claude-opus-5-5").accepts(.temperature) == false)
    #expect(facts("anthropic", "claude-next-9").accepts(.temperature) == nil)
    let terra = facts("openai", "gpt-6.1-terra")
    #expect(terra.accepts(.temperature) == false)
    #expect(terra.accepts(.temperature, effort: "none") == true)
    #expect(facts("openai", "gpt-5.4").accepts(.temperature) == true)
    #expect(terra.accepts(effort: "none") == true && terra.accepts(effort: "minimal") == false)
    #expect(facts("anthropic", "claude-haiku-4-5").accepts(effort: "low") == false)
    #expect(facts("openai", "gpt-unheard-of").accepts(effort: "low") == nil)
  }

  @Test func `the output limit is the usual one, the model's, or half of a small context`() {
    #expect(Catalogue.builtIn.facts("openai", "gpt-4o").usualOutputTokens == 16_384)
    #expect(Catalogue.builtIn.facts("anthropic", "claude-opus-5-5").usualOutputTokens == 32_000)
    #expect(Catalogue.builtIn.facts("anthropic", "claude-opus-5-5").leastOutputTokens() == 8192)
    #expect(Catalogue.builtIn.facts("anthropic", "claude-opus-4-6").leastOutputTokens() == 2048)
    var settings = Settings.ModelSettings()
    settings.contextTokens = 8192
    #expect(Catalogue.builtIn.facts("local", "x", settings: settings).usualOutputTokens == 4096)
  }

  @Test func `a configured server takes a row that it names, and no other`() throws {
    let day = try #require(Day("2026-12-01"))
    var settings = Settings.ModelSettings()
    let usage = Usage(inputTokens: 10_000, outputTokens: 2000)
    let name = "gemini-4-argon"
    let plain = Catalogue.builtIn.facts("local", name, on: day, settings: settings)
    #expect(!plain.isKnown && plain.prices == nil)
    settings.catalogue = "google"
    let named = Catalogue.builtIn.facts("local", name, on: day, settings: settings)
    #expect(named.prices?.cost(of: usage, on: day) == 0.08)
    settings.catalogue = "google/gemini-4-argon"
    #expect(
      Catalogue.builtIn.facts("local", "mine", on: day, settings: settings).contextTokens
        == 1_048_576)
  }

  @Test func `a day is read and written, and no other text is one`() {
    #expect(Day("2026-11-23")?.description == "2026-11-23")
    #expect(Day("2024-02-29")?.days(until: Day(Timestamp(milliseconds: 0))) == -19_782)
    for text in ["", "2026-13-01", "2026-02-30", "2026-1-1", "26-01-01", "2026-01-01T"] {
      #expect(Day(text) == nil, "\(text)")
    }
    #expect(Day(Timestamp(milliseconds: -1)).description == "1969-12-31")
  }
}
