import Core
import Testing

@testable import Display

/// A model as a card, and a move of its prices in words.
struct ModelCardTests {
  /// 2026-11-23T12:00:00Z.
  private static let now = Timestamp(milliseconds: 1_795_435_200_000)

  private func card(_ json: String, width: Int? = 60) throws -> String {
    RecordText(width: width, now: Self.now).card(try ModelRecord(json: json))
  }

  @Test func `a card has a line for each fact and a row for each band`() throws {
    let model =
      #"{"available":false,"bands":[{"aboveInputTokens":200000,"inputPricePerMillion":6}],"#
      + #""contextTokens":1000000,"effort":"high","efforts":["low","high"],"#
      + #""inputPricePerMillion":3,"kind":"chat","maxOutputTokens":64000,"name":"claude-test-1","#
      + #""outputPricePerMillion":0.25,"priceSource":"a page","pricesAsOf":"2026-08-24","#
      + #""provider":"anthropic","reason":"it needs a key: set ANTHROPIC_API_KEY or store one","#
      + #""refuses":["temperature"],"replacement":"claude-test-2","retires":"2026-11-30","#
      + #""thinking":"off","type":"model"}"#
    #expect(
      try card(model) == """
        claude-test-1
        provider      anthropic
        kind          chat
        available     no: it needs a key: set ANTHROPIC_API_KEY or
                      store one
        context       1.0M tokens
        output        64k tokens
        thinking      off, unless a request asks for it
        effort        high; knows low, high
        refuses       temperature
        retires       2026-11-30, in 7 days
        replacement   claude-test-2

        $/M TOKENS  IN   OUT
        usual        3  0.25
        over 200k    6

        priced on     2026-08-24 (older than 90 days)
        source        a page

        """)
  }

  @Test func `an unknown price is said to be unknown, and a free model costs 0`() throws {
    let model = #"{"available":true,"kind":"chat","name":"m","provider":"local","type":"model"}"#
    #expect(try card(model).hasSuffix("price         unknown\n"))
    let free = model.replacing(
      #""type""#, with: #""inputPricePerMillion":0,"outputPricePerMillion":0,"type""#)
    #expect(try card(free).hasSuffix("\n\n$/M TOKENS   IN  OUT\nany request   0    0\n"))
  }

  @Test(arguments: [
    ("2026-08-25", false), ("2026-08-24", true), ("2026-11-23", false), ("2030-01-01", false),
  ])
  func `a price is old after 90 days`(day: String, isOld: Bool) throws {
    let model =
      #"{"available":true,"inputPricePerMillion":1,"kind":"chat","name":"m","#
      + #""pricesAsOf":"\#(day)","provider":"local","type":"model"}"#
    #expect(try card(model).contains("(older than 90 days)") == isOld)
  }

  @Test(arguments: [
    ("2026-11-23", "2026-11-23: it is retired"), ("2026-11-24", "2026-11-24, in 1 day"),
    ("2027-01-22", "2027-01-22, in 60 days"), ("2027-01-23", "2027-01-23"), ("soon", "soon"),
  ])
  func `a card says when a model is switched off`(day: String, text: String) throws {
    let model =
      #"{"available":true,"kind":"chat","name":"m","provider":"local","retires":"\#(day)","#
      + #""type":"model"}"#
    #expect(try card(model).contains("retires       \(text)\n"))
  }

  @Test func `nothing that steers a terminal comes through`() throws {
    let text = try card(
      #"{"available":true,"kind":"chat","name":"a\u001b[2J","provider":"b\u202e","#
        + #""refuses":["c\nd"],"type":"model"}"#, width: nil)
    #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    #expect(text.contains("refuses       c d\n"))
  }

  @Test func `a move names each price that changes, and those of larger requests`() throws {
    let change = try PriceChange(
      json: #"{"after":{"bands":[{"aboveInputTokens":100000,"inputPricePerMillion":8,"#
        + #""outputPricePerMillion":15}],"cacheReadPricePerMillion":0.4,"inputPricePerMillion":4,"#
        + #""outputPricePerMillion":15},"before":{"bands":[{"aboveInputTokens":200000,"#
        + #""inputPricePerMillion":6,"outputPricePerMillion":15}],"inputPricePerMillion":3,"#
        + #""outputPricePerMillion":15},"name":"m","provider":"p","tenfold":false,"#
        + #""type":"priceChange"}"#)
    #expect(
      change.moves == [
        "in 3 → 4", "cache read 0.4", "over 100k: in 3 → 8", "over 200k: in 6 → 8",
      ])
  }
}
