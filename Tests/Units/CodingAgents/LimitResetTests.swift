import Core
import Foundation
import TestSupport
import Testing

@testable import CodingAgents

@Suite("reset times in messages")
struct LimitResetTests {
  private let now = Timestamp(iso8601: "2026-11-24T12:00:30.000Z")

  private func time(_ message: String) throws -> String? {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    return LimitReset.time(in: message, at: try #require(now), zone: zone)?.iso8601
  }

  @Test(arguments: [
    (
      "Codex: you've hit your usage limit. Visit https://x.example or try again at 4:29 AM.",
      "25T03:29:00"
    ),
    ("You've hit your usage limit. Please try again at Nov 29th, 2026 12:55 AM.", "28T23:55:00"),
    ("You've hit your usage limit. Try again in 4 days 3 hours 5 minutes.", "28T15:05:30"),
    ("Claude: You’ve hit your limit · resets 3pm (UTC)", "24T15:00:00"),
    ("Claude AI usage limit reached|1795600000", "25T09:46:40"),
    ("5-hour limit reached ∙ resets 3pm", "24T14:00:00"),
    ("weekly limit · resets Nov 28 at 5pm (America/New_York)", "28T22:00:00"),
    ("Gemini: Your quota will reset after 42h1m20s.", "26T06:01:50"),
    ("The limit resets 1pm", "24T12:00:00"), ("The limit resets 12am", "24T23:00:00"),
  ])
  func `each agent's form is read`(message: String, time: String) throws {
    #expect(try self.time(message) == "2026-11-\(time).000Z")
  }

  @Test(arguments: [
    "try again at 4:29 AM", "usage limit, try again later", "limit, try again in 2 months",
    "limit, reset after 99999999999s", "limit, resets Feb 31 at 5pm", "limit, resets 25pm",
    "limit, resets Nov 99 at 5pm", "limit, try again at Jan 1st, 2099 5 PM", "limit|1", "",
    "limit, reset after 1.2.3", "limit, resets \u{1F550} pm",
  ])
  func `other messages name no time`(message: String) throws {
    #expect(try time(message) == nil)
  }

  @Test func `no message ends the search badly`() throws {
    var random = SeededRandom(seed: 33)
    let parts = [
      "limit ", "try again at ", "resets ", "reset after ", "Nov ", "99", "9", ":", "pm", "(", ")",
      "|", "h", " ",
    ]
    for _ in 0..<500 {
      let words = (0..<12).map { _ in random.one(of: parts, else: "") }
      _ = try time(words.joined())
    }
  }
}
