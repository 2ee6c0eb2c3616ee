import Core
import Foundation
import TestSupport
import Testing

@testable import Catalogue

/// Tables of prices, in the form of genai-prices and in our own: what is taken of them.
struct PriceTableTests {
  static let day = Day("2026-11-23") ?? .today

  /// A table of one of Anthropic's models in the form of genai-prices.
  static func table(
    _ prices: String, id: String = "claude-test-1", match: String = #"{"equals":"claude-test-1"}"#
  ) -> String {
    #"[{"id":"anthropic","models":[{"id":"\#(id)","match":\#(match),"prices":\#(prices)}]}]"#
  }

  static func read(_ text: String) throws -> PriceTable {
    try PriceTable.read(Array(text.utf8), source: "table.json", asOf: day)
  }

  /// A catalogue of one model.
  static func catalogue(_ rows: String...) -> Catalogue {
    Catalogue(
      Array(
        rows.map {
          #"{"type":"model","provider":"anthropic","name":"claude-test-1","kind":"chat",\#($0)}"#
        }.joined(separator: "\n").utf8))
  }

  private func entry(_ table: PriceTable, on day: String? = nil) throws -> ModelPrices.Entry {
    let model = try #require(table.models.first)
    return try #require(model.prices.entry(on: day.flatMap { Day($0) } ?? Self.day))
  }

  // MARK: Names

  @Test func `a model is known by its id and by the names that its clause spells out`() throws {
    let match =
      #"{"or":[{"equals":"claude-test-latest"},{"or":[{"equals":"Claude-T"}]},{"contains":"x"}]}"#
    let table = try Self.read(Self.table(#"{"input_mtok":1}"#, match: match))
    #expect(table.models.map(\.name) == ["Claude-T", "claude-test-1", "claude-test-latest"])
  }

  @Test func `the names that the catalogue has for one model are one model`() throws {
    let short = try Self.read(Self.table(#"{"input_mtok":1}"#, id: "claude-haiku-4-5", match: "{}"))
    let model = try #require(short.models.first)
    #expect(model.name == "claude-haiku-4-5-20251001" && model.also == ["claude-haiku-4-5"])
    let both = try Self.read(
      #"[{"id":"anthropic","models":[{"id":"claude-haiku-4-5-20251001","prices":{"input_mtok":2}},"#
        + #"{"id":"claude-haiku-4-5","prices":{"input_mtok":3}}]}]"#)
    #expect(both.models.map(\.prices.entries.first?.price.input) == [2])
  }

  @Test(arguments: [
    #"{"starts_with":"claude-opus-5"}"#, #"{"contains":"opus"}"#, #"{"regex":"^(a+)+$"}"#,
    #"{"and":[{"equals":"claude-opus-5-5"},{"contains":""}]}"#, #"{"or":[{"mood":"any"}]}"#, "{}",
    #"{"equals":5}"#, #"{"or":5}"#,
  ])
  func `a pattern gives no relative a price`(match: String) throws {
    let table = try Self.read(
      Self.table(#"{"input_mtok":1}"#, id: "claude-opus-5", match: match))
    #expect(table.models.map(\.name) == ["claude-opus-5"])
  }

  @Test func `only Anthropic's, Google's and OpenAI's models are taken`() throws {
    let table = try Self.read(
      #"[{"id":"mistral","models":"none"},{"id":"google","models":"#
        + #"[{"id":"gemini-test","prices":{"input_mtok":1,"output_mtok":2}},"#
        + #"{"id":"gemini-speech","prices":{"audio_hours":1}}]}]"#)
    #expect(table.models.map(\.id) == ["google/gemini-test"])
  }

  // MARK: Prices

  @Test func `tiers are bands, in which prices without tiers stay`() throws {
    let entry = try entry(
      try Self.read(
        Self.table(
          """
          {"input_mtok":{"base":1,"tiers":[{"start":500000,"price":4},{"start":200000,"price":2}]},
           "output_mtok":{"base":10,"tiers":[{"start":200000,"price":15}]},
           "cache_read_mtok":0.1,"cache_write_mtok":1.25,"cache_write_1h_mtok":2,
           "web_searches_kcount":{"base":10,"tiers":[{"start":7,"price":11}]}}
          """)))
    func price(_ input: Double, _ output: Double) -> Price {
      Price(input: input, output: output, cacheRead: 0.1, cacheWrite: 1.25, cacheWrite1h: 2)
    }
    #expect(entry.price == price(1, 10))
    #expect(
      entry.bands == [
        PriceBand(aboveInputTokens: 200_000, price: price(2, 15)),
        PriceBand(aboveInputTokens: 500_000, price: price(4, 15)),
      ])
    #expect(entry.price(forInput: 200_000) == price(1, 10))
    #expect(entry.price(forInput: 200_001) == price(2, 15))
  }

  @Test func `of prices under conditions the last one whose day has come holds`() throws {
    let table = try Self.read(
      Self.table(
        """
        [{"constraint":{"start_date":"2026-12-01"},"prices":{"input_mtok":4}},
         {"constraint":{"start_date":"2026-03-01"},"prices":{"input_mtok":2}},
         {"constraint":{"start_date":"2027-01-01"},"prices":{"input_mtok":8}}]
        """))
    let days = ["2026-02-28", "2026-03-01", "2026-12-01", "2027-01-01"]
    #expect(try days.map { try entry(table, on: $0).price.input } == [4, 2, 2, 8])
    let entries = try #require(table.models.first).prices.entries
    #expect(entries.map(\.from?.description) == [nil, "2026-03-01", "2027-01-01"])
    #expect(entries.map(\.until?.description) == ["2026-03-01", "2027-01-01", nil])
  }

  @Test func `a model whose price depends on the hour is left out and named`() throws {
    let table = try Self.read(
      Self.table(
        """
        [{"prices":{"input_mtok":1}},
         {"constraint":{"start_time":"00:30:00Z","end_time":"16:30:00Z"},"prices":{"input_mtok":2}}]
        """))
    #expect(table.models.isEmpty)
    #expect(table.notes.count == 1 && table.notes[0].contains("'anthropic/claude-test-1'"))
  }

  @Test func `random tables cost what genai-prices says that they cost`() throws {
    var random = SeededRandom(seed: 7)
    let names = [
      "input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok", "cache_write_1h_mtok",
    ]
    for _ in 0..<200 {
      let listed = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        ListedPrice(names, &random)
      }
      let json = "[\(listed.map(\.json).joined(separator: ","))]"
      let table = try Self.read(Self.table(json))
      for _ in 0..<20 {
        let day = ListedPrice.day(&random)
        let tokens = Int.random(in: 0...12, using: &random)
        let expected = ListedPrice.expected(listed, on: day)
        let found = try entry(table, on: day.description).price(forInput: tokens)
        let prices = [
          found.input, found.output, found.cacheRead, found.cacheWrite, found.cacheWrite1h,
        ]
        for (name, price) in zip(names, prices) {
          #expect(price == expected.price(name, tokens), "\(json) on \(day): \(name), \(tokens)")
        }
      }
    }
  }

  // MARK: Our own form

  @Test func `the rows that are built in are a table that changes nothing`() throws {
    let table = try PriceTable.read(
      PackageResources.models_ndjson, source: "models.ndjson", asOf: Self.day)
    #expect(table.models.count > 20)
    #expect(table.changes(against: .builtIn, on: Self.day).isEmpty)
  }

  @Test func `rows are lines or an array, and rows of other types are left out`() throws {
    let rows = [
      #"{"type":"alias","alias":"x","name":"claude-test-1"}"#,
      #"{"type":"price","provider":"anthropic","name":"claude-test-1","prices":{"input":1}}"#,
      #"{"type":"price","provider":"mistral","name":"large","prices":{"input":-1}}"#,
    ]
    let lines = try Self.read(rows.joined(separator: "\r\n") + "\n\n")
    #expect(lines.models.map(\.id) == ["anthropic/claude-test-1"])
    #expect(try Self.read("[\(rows.joined(separator: ","))]").models == lines.models)
  }

  // MARK: Damage

  @Test(arguments: [
    #"{"input_mtok":-1}"#, #"{"input_mtok":1000001}"#, #"{"input_mtok":1e400}"#,
    #"{"input_mtok":"3"}"#, #"{"input_mtok":true}"#, #"{"input_mtok":[1]}"#, "3",
    #"{"web_searches_kcount":-1,"input_mtok":1}"#, #"{"input_mtok":{"tiers":[]}}"#,
    #"{"input_mtok":{"base":1,"tiers":[{"start":-1,"price":1}]}}"#,
    #"{"input_mtok":{"base":1,"tiers":[{"start":1.5,"price":1}]}}"#,
    #"{"input_mtok":{"base":1,"tiers":[7]}}"#, #"{"input_mtok":{"base":1}}"#, #"[{"prices":1}]"#,
    #"[{"constraint":{"start_date":"2026-13-01"},"prices":{"input_mtok":1}}]"#,
    #"[{"constraint":{"start_date":7},"prices":{"input_mtok":1}}]"#,
    #"[{"constraint":"always","prices":{"input_mtok":1}}]"#, "[1]",
  ])
  func `one price that cannot be refuses the table, by the model's name`(prices: String) throws {
    let failure = #expect(throws: Failure.self) { try Self.read(Self.table(prices)) }
    #expect(failure?.code == .badInput)
    // 1e400 is no number for the reader of JSON, which knows no models.
    if !prices.contains("1e400") {
      #expect(failure?.explanation.contains("'anthropic/claude-test-1'") == true)
    }
  }

  @Test(arguments: [
    #""prices":{"input":-1}"#, #""prices":{"input":"1"}"#, #""prices":[1]"#,
    #""prices":{"input":1},"from":"2026-02-30""#, #""prices":{"input":1},"asOf":"soon""#,
    #""prices":{"input":1},"from":"2026-03-01","until":"2026-03-01""#,
    #""prices":{"input":1},"bands":[7]"#, #""prices":{"input":1},"bands":[{"input":2}]"#,
    #""prices":{"input":1},"bands":{}"#, #""prices":{"input":1},"factors":{"tier.x":-1}"#,
    #""prices":{"input":1},"factors":{"tier.x":"2"}"#, #""prices":{"input":1},"factors":2"#,
  ])
  func `a row of our own form is as strict`(members: String) throws {
    let failure = #expect(throws: Failure.self) {
      try Self.read(
        #"{"type":"price","provider":"openai","name":"gpt-test",\#(members)}"#)
    }
    #expect(failure?.explanation.contains("'openai/gpt-test'") == true)
  }

  @Test(arguments: [
    "", "[]", "{}", "[1]", "{\"type\":\"price\"}", "null", "[{}", "{}\nx",
    #"[],"b":[{}]"#, #"[{"models":[]}]"#, #"[{"id":"openai","models":[1]}]"#,
    #"[{"id":"openai","models":[{"prices":{}}]}]"#, "\u{FEFF}[]",
  ])
  func `what is no table is refused`(text: String) {
    #expect(throws: Failure.self) { try Self.read(text) }
  }

  @Test func `a name that would not be one anywhere refuses the table`() {
    let long = String(repeating: "a", count: 201)
    for name in ["", long, "a\\u001bb", "a  b", " a", "a\\u202eb"] {
      #expect(throws: Failure.self) { try Self.read(Self.table(#"{"input_mtok":1}"#, id: name)) }
      guard !name.isEmpty else { continue }
      #expect(throws: Failure.self) {
        try Self.read(Self.table(#"{"input_mtok":1}"#, match: #"{"equals":"\#(name)"}"#))
      }
    }
  }

  @Test func `20,000 rows are read, and one more is not`() throws {
    func rows(_ count: Int) -> String {
      (1...count).map {
        #"{"type":"price","provider":"openai","name":"gpt-\#($0)","prices":{"input":1}}"#
      }.joined(separator: "\n")
    }
    #expect(try Self.read(rows(20_000)).models.count == 20_000)
    #expect(throws: Failure.self) { try Self.read(rows(20_001)) }
    let names = (0..<150).map { #"{"equals":"claude-\#($0)"}"# }.joined(separator: ",")
    let day = #"{"constraint":{"start_date":"2026-01-01"},"prices":{"input_mtok":1}}"#
    let days = (0..<999).map { index in
      day.replacing("2026-01-01", with: (Day("2000-01-01")?.adding(index) ?? Self.day).description)
        .replacing(":1}", with: ":\(index)}")
    }
    #expect(throws: Failure.self) {
      try Self.read(
        Self.table("[\(days.joined(separator: ","))]", match: #"{"or":[\#(names)]}"#))
    }
  }

  @Test func `random bytes and damaged tables are refused or read, without a crash`() {
    var random = SeededRandom(seed: 11)
    let whole = Array(
      Self.table(#"[{"prices":{"input_mtok":{"base":1,"tiers":[{"start":9,"price":2}]}}}]"#).utf8)
    for round in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = .random(in: 0...255, using: &random)
      }
      let length = Int.random(in: 0...90, using: &random)
      if round.isMultiple(of: 3) { bytes = Array(bytes.prefix(length)) }
      if round.isMultiple(of: 5) { bytes.shuffle(using: &random) }
      guard let table = try? PriceTable.read(bytes, source: "x", asOf: Self.day) else { continue }
      let changes = table.changes(against: .builtIn, on: Self.day)
      _ = table.kept(changes, over: .builtIn, on: Self.day)
    }
  }
}

/// A price as genai-prices lists it, and what it says that it is.
private struct ListedPrice {
  var from: Day?
  var parts: [String: (base: Double, tiers: [(start: Int, price: Double)])] = [:]

  init(_ names: [String], _ random: inout SeededRandom) {
    if !random.chance(3) { from = Self.day(&random) }
    for name in names {
      let starts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Int.random(in: 0...10, using: &random)
      }
      let tiers = Set(starts).map { ($0, Double(Int.random(in: 0...9, using: &random))) }
      parts[name] = (Double(Int.random(in: 0...9, using: &random)), tiers)
    }
  }

  static func day(_ random: inout SeededRandom) -> Day {
    (Day("2026-11-01") ?? .today).adding(Int.random(in: 0...12, using: &random))
  }

  var json: String {
    let prices = parts.map { name, part in
      let tiers = part.tiers.map { #"{"start":\#($0.start),"price":\#($0.price)}"# }
      return tiers.isEmpty
        ? #""\#(name)":\#(part.base)"#
        : #""\#(name)":{"base":\#(part.base),"tiers":[\#(tiers.joined(separator: ","))]}"#
    }
    let constraint = from.map { #""constraint":{"start_date":"\#($0)"},"# } ?? ""
    return #"{\#(constraint)"prices":{\#(prices.joined(separator: ","))}}"#
  }

  static func expected(_ listed: [Self], on day: Day) -> Self {
    listed.last { $0.from.map { $0 <= day } ?? true } ?? listed[0]
  }

  func price(_ name: String, _ tokens: Int) -> Double? {
    parts[name].map { part in
      part.tiers.sorted { $0.start > $1.start }.first { tokens > $0.start }?.price ?? part.base
    }
  }
}

extension Day {
  /// Returns the day that is so many days later.
  func adding(_ days: Int) -> Day {
    Day(Timestamp(milliseconds: Int64(number + days) * 86_400_000))
  }
}
