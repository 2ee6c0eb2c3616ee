import Core
import Foundation
import TestSupport
import Testing

@testable import Catalogue

/// The prices of a table beside those in force: the difference, and what is stored of it.
struct PriceChangeTests {
  private let day = PriceTableTests.day
  private static let usual =
    #""prices":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite":3.75,"cacheWrite1h":6}"#

  private func changes(
    _ prices: String, against rows: String = PriceChangeTests.usual
  ) throws -> [PriceChange] {
    try PriceTableTests.read(PriceTableTests.table(prices))
      .changes(against: PriceTableTests.catalogue(rows), on: day)
  }

  // MARK: The difference

  @Test func `equal prices are no change, and a price that is not named is not lost`() throws {
    #expect(try changes(#"{"input_mtok":3,"output_mtok":15}"#).isEmpty)
    #expect(try changes(#"{"input_mtok":3,"output_mtok":15,"cache_write_1h_mtok":6}"#).isEmpty)
  }

  @Test func `prices of a cache that are not named keep their ratio to the input`() throws {
    let after = try #require(try changes(#"{"input_mtok":2,"output_mtok":15}"#).first).after
    #expect(after.cacheReadPricePerMillion == 0.2)
    #expect(after.cacheWritePricePerMillion == 2.5)
    #expect(after.cacheWrite1hPricePerMillion == 4)
    let bands =
      #"{"input_mtok":{"base":3,"tiers":[{"start":9,"price":6}]},"output_mtok":15}"#
    let band = try #require(try changes(bands).first?.after.bands?.first)
    #expect(band.cacheReadPricePerMillion == 0.6 && band.cacheWrite1hPricePerMillion == 12)
    let known =
      #""prices":{"input":3,"cacheRead":0.3},"#
      + #""bands":[{"aboveInputTokens":9,"input":6,"cacheRead":3}]"#
    let dearer = #"{"input_mtok":{"base":3,"tiers":[{"start":9,"price":12}]}}"#
    let other = try #require(try changes(dearer, against: known).first?.after)
    #expect(other.cacheReadPricePerMillion == 0.3)
    #expect(other.bands?.first?.cacheReadPricePerMillion == 6)
  }

  @Test func `a model that the catalogue lacks has no price before`() throws {
    let table = try PriceTableTests.read(PriceTableTests.table(#"{"input_mtok":1}"#))
    let change = try #require(table.changes(against: .builtIn, on: day).first)
    #expect(change.before == nil && !change.tenfold && change.kept == nil)
    #expect(change.model == "anthropic/claude-test-1")
    let unpriced = try changes(#"{"input_mtok":1}"#, against: #""released":"2026-01-01""#)
    #expect(unpriced.count == 1 && unpriced.first?.before == nil)
  }

  @Test func `a price that begins later is a change of its own`() throws {
    let found = try changes(
      """
      [{"prices":{"input_mtok":3,"output_mtok":15}},
       {"constraint":{"start_date":"2026-12-01"},"prices":{"input_mtok":4,"output_mtok":15}}]
      """)
    #expect(found.map(\.from) == ["2026-12-01"])
    #expect(found.first?.before?.inputPricePerMillion == 3)
    #expect(found.first?.after.inputPricePerMillion == 4)
  }

  @Test func `a rise that is put off is found on the day on which it was announced`() throws {
    let table = try PriceTableTests.read(
      PriceTableTests.table(
        """
        [{"prices":{"input_mtok":2}},
         {"constraint":{"start_date":"2027-01-01"},"prices":{"input_mtok":4}}]
        """))
    let catalogue = PriceTableTests.catalogue(
      #""prices":{"input":2},"until":"2026-12-01""#, #""prices":{"input":4},"from":"2026-12-01""#)
    let found = table.changes(against: catalogue, on: day)
    #expect(found.map(\.from) == ["2026-12-01"])
    #expect(found.first?.before?.inputPricePerMillion == 4)
    #expect(found.first?.after.inputPricePerMillion == 2)
  }

  @Test(arguments: [
    (#"{"input_mtok":30,"output_mtok":15}"#, true), (#"{"input_mtok":0.3,"output_mtok":15}"#, true),
    (#"{"input_mtok":29.9,"output_mtok":15}"#, false), (#"{"input_mtok":3,"output_mtok":0}"#, true),
    (#"{"input_mtok":3,"output_mtok":15,"cache_read_mtok":0.03}"#, true),
    (#"{"input_mtok":3,"output_mtok":15,"cache_read_mtok":0.04}"#, false),
    (#"{"input_mtok":3,"output_mtok":{"base":15,"tiers":[{"start":9,"price":150}]}}"#, true),
    (#"{"input_mtok":3,"output_mtok":{"base":15,"tiers":[{"start":9,"price":140}]}}"#, false),
  ])
  func `a factor of ten either way, or zero, is a tenfold move`(prices: String, isTenfold: Bool)
    throws
  {
    #expect(try changes(prices).map(\.tenfold) == [isTenfold])
  }

  @Test func `a tenfold move is found though a binary number is a little less`() throws {
    let before = #""prices":{"input":0.07,"output":1}"#
    #expect(
      try changes(#"{"input_mtok":0.7,"output_mtok":1}"#, against: before).map(\.tenfold) == [true])
    let free = #""prices":{"input":0,"output":1}"#
    #expect(
      try changes(#"{"input_mtok":0.7,"output_mtok":1}"#, against: free).map(\.tenfold) == [true])
  }

  // MARK: Storing

  /// Stores all changes of a table and returns the rows of the file.
  private func store(_ text: String, in home: Home, on day: Day? = nil) throws -> [String] {
    let day = day ?? self.day
    let table = try PriceTable.read(Array(text.utf8), source: "table.json", asOf: day)
    let catalogue = Catalogue(home.directories)
    try table.store(
      table.changes(against: catalogue, on: day), in: PriceFile(home.directories), over: catalogue,
      on: day)
    #expect(table.changes(against: Catalogue(home.directories), on: day).isEmpty)
    let path = home.directories.data + "/prices.ndjson"
    #expect(try home.mode(path) == 0o600)
    let file = FileManager.default.contents(atPath: path) ?? Data()
    return String(decoding: file, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `a row has the day, the source, and the factors that are built in`() throws {
    let home = try Home()
    let table = PriceTableTests.table(
      #"{"input_mtok":5,"output_mtok":25}"#, id: "claude-opus-5-5", match: "{}")
    #expect(
      try store(table, in: home) == [
        #"{"asOf":"2026-11-23","factors":{"geo.us":1.1,"speed.fast":2,"tier.batch":0.5},"#
          + #""from":"2026-11-23","name":"claude-opus-5-5","prices":{"cacheRead":0.25,"#
          + #""cacheWrite":6.25,"cacheWrite1h":10,"input":5,"output":25},"provider":"anthropic","#
          + #""source":"table.json","type":"price"}"#
      ])
    let facts = Catalogue(home.directories).facts("anthropic", "claude-opus-5-5", on: day)
    #expect(facts.prices?.entry(on: day)?.price.output == 25)
    let before = try #require(Day("2026-11-22"))
    #expect(facts.prices?.entry(on: before)?.price.output == 20)
    #expect(facts.contextTokens == 1_000_000)
  }

  @Test func `bands and later prices are stored, each until the next one begins`() throws {
    let rows = try store(
      PriceTableTests.table(
        """
        [{"prices":{"input_mtok":{"base":1,"tiers":[{"start":9,"price":2}]},"output_mtok":3}},
         {"constraint":{"start_date":"2027-01-01"},"prices":{"input_mtok":2,"output_mtok":3}}]
        """), in: try Home())
    #expect(
      rows == [
        #"{"asOf":"2026-11-23","bands":[{"aboveInputTokens":9,"input":2,"output":3}],"#
          + #""name":"claude-test-1","prices":{"input":1,"output":3},"provider":"anthropic","#
          + #""source":"table.json","type":"price","until":"2027-01-01"}"#,
        #"{"asOf":"2026-11-23","from":"2027-01-01","name":"claude-test-1","prices":{"input":2,"#
          + #""output":3},"provider":"anthropic","source":"table.json","type":"price"}"#,
      ])
  }

  @Test func `what was announced for a later day stays`() throws {
    let home = try Home()
    _ = try store(
      PriceTableTests.table(
        """
        [{"prices":{"input_mtok":1}},
         {"constraint":{"start_date":"2027-01-01"},"prices":{"input_mtok":2}},
         {"constraint":{"start_date":"2027-02-01"},"prices":{"input_mtok":3}}]
        """), in: home)
    let rows = try store(PriceTableTests.table(#"{"input_mtok":1.5}"#), in: home)
    #expect(rows.count == 3)
    let prices = Catalogue(home.directories).facts("anthropic", "claude-test-1", on: day).prices
    #expect(prices?.entry(on: day)?.price.input == 1.5)
    #expect(try prices?.entry(on: #require(Day("2026-12-31")))?.price.input == 1.5)
    #expect(try prices?.entry(on: #require(Day("2027-01-31")))?.price.input == 2)
    #expect(try prices?.entry(on: #require(Day("2027-02-01")))?.price.input == 3)
  }

  @Test func `rows of models that a later table lacks stay, and rows of other types`() throws {
    let home = try Home()
    _ = try store(PriceTableTests.table(#"{"input_mtok":1}"#), in: home)
    let path = home.directories.data + "/prices.ndjson"
    let old = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    let other = #"{"type":"rate","of":"a later version"}"#
    try Data((old + other + "\n").utf8).write(to: URL(filePath: path))
    let rows = try store(
      PriceTableTests.table(#"{"input_mtok":2}"#, id: "claude-test-2", match: "{}"), in: home)
    #expect(rows.count == 3 && rows[0] + "\n" == old && rows[1] == other)
  }

  @Test func `a price that becomes the built-in one again needs no row`() throws {
    let home = try Home()
    func table(_ input: Double, _ output: Double) -> String {
      PriceTableTests.table(
        #"{"input_mtok":\#(input),"output_mtok":\#(output)}"#, id: "claude-opus-5-5", match: "{}")
    }
    #expect(try store(table(5, 25), in: home).count == 1)
    #expect(try store(table(6, 25), in: home).count == 1)
    #expect(try store(table(4, 20), in: home).isEmpty)
    #expect(try store(table(4, 20), in: home).isEmpty)
  }

  @Test func `a stored price holds for each name of its model, and replaces all of them`() throws {
    let home = try Home()
    func table(_ id: String, _ input: Double) -> String {
      PriceTableTests.table(#"{"input_mtok":\#(input)}"#, id: id, match: "{}")
    }
    func inputs() -> [Double?] {
      ["claude-haiku-4-5-20251001", "claude-haiku-4-5"].map { name in
        Catalogue(home.directories).facts("anthropic", name, on: day).prices?.entry(on: day)?.price
          .input
      }
    }
    let rows = try store(table("claude-haiku-4-5", 0.5), in: home)
    #expect(rows.count == 1 && rows[0].contains(#""also":["claude-haiku-4-5"]"#))
    #expect(inputs() == [0.5, 0.5])
    #expect(try store(table("claude-haiku-4-5-20251001", 0.25), in: home).count == 1)
    #expect(inputs() == [0.25, 0.25])
  }

  @Test func `only the models of the changes are stored`() throws {
    let table = try PriceTableTests.read(
      #"[{"id":"openai","models":[{"id":"gpt-a","prices":{"input_mtok":1}},"#
        + #"{"id":"gpt-b","prices":{"input_mtok":1}}]}]"#)
    let changes = table.changes(against: .builtIn, on: day).filter { $0.name == "gpt-b" }
    let rows = table.kept(changes, over: .builtIn, on: day)
    #expect(rows.count == 1 && rows[0].contains(#""name":"gpt-b""#))
  }

  @Test func `rows of our own form keep their source, and their day unless it is to come`() throws {
    func row(_ asOf: String) -> String {
      #"{"type":"price","provider":"openai","name":"gpt-a","prices":{"input":1},"#
        + #""factors":{"tier.flex":0.4},"asOf":"\#(asOf)","source":"a page"}"#
    }
    for (asOf, stored) in [("2026-10-01", "2026-10-01"), ("2030-01-01", "2026-11-23")] {
      let line = try #require(try store(row(asOf), in: try Home()).first)
      #expect(line.contains(#""asOf":"\#(stored)""#) && line.contains(#""source":"a page""#))
      #expect(!line.contains(#""factors""#))
    }
  }

  @Test func `a file that cannot be read is replaced, since none of its rows is used`() throws {
    let home = try Home()
    let path = home.directories.data + "/prices.ndjson"
    _ = try store(PriceTableTests.table(#"{"input_mtok":1}"#), in: home)
    try Data("{\n".utf8).write(to: URL(filePath: path))
    #expect(Catalogue(home.directories).problem != nil)
    #expect(try store(PriceTableTests.table(#"{"input_mtok":1}"#), in: home).count == 1)
    #expect(Catalogue(home.directories).problem == nil)
  }

  @Test func `two refreshes at once lose no row`() async throws {
    let home = try Home()
    let (directories, day) = (home.directories, day)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<12 {
        group.addTask {
          let table = try PriceTableTests.read(
            PriceTableTests.table(#"{"input_mtok":1}"#, id: "claude-\(index)-x", match: "{}"))
          let catalogue = Catalogue(directories)
          try table.store(
            table.changes(against: catalogue, on: day), in: PriceFile(directories),
            over: catalogue, on: day)
        }
      }
      try await group.waitForAll()
    }
    #expect(PriceFile(directories).rows.count == 12)
  }
}
