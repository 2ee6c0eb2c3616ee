import Core
import Foundation
import Testing

@testable import Pushing

@Suite("quiet hours")
struct QuietHoursTests {
  @Test(arguments: [
    "", "22:00", "22-07", "24:00-07:00", "22:60-07:00", "7:00-22:00", "22:00-22:00",
    "22:00-07:00-08:00", " 22:00-07:00", "٢٢:00-07:00", "22:00–07:00",
  ])
  func `other texts are no period`(text: String) {
    #expect(QuietHours(text) == nil)
  }

  @Test(arguments: [
    ("22:00-07:00", "2026-01-10T21:59:59Z", nil),
    ("22:00-07:00", "2026-01-10T22:00:00Z", "2026-01-11T07:00:00.000Z"),
    ("22:00-07:00", "2026-01-11T06:59:59Z", "2026-01-11T07:00:00.000Z"),
    ("22:00-07:00", "2026-01-11T07:00:00Z", nil),
    ("12:30-13:00", "2026-01-11T12:29:59Z", nil),
    ("12:30-13:00", "2026-01-11T12:45:10Z", "2026-01-11T13:00:00.000Z"),
    ("12:30-13:00", "2026-01-11T13:00:00Z", nil),
  ])
  func `a time is in the period up to its end`(text: String, at: String, end: String?) throws {
    let quiet = try #require(QuietHours(text))
    let instant = try #require(Timestamp(iso8601: at))
    #expect(quiet.end(of: instant, in: .gmt)?.iso8601 == end)
  }

  /// Berlin's clock goes from 02:00 to 03:00 on 2026-03-29.
  @Test func `a period that ends in an hour that a clock skips ends with that hour`() throws {
    let quiet = try #require(QuietHours("22:00-02:30"))
    let instant = try #require(Timestamp(iso8601: "2026-03-29T00:30:00Z"))
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    #expect(quiet.end(of: instant, in: zone)?.iso8601 == "2026-03-29T01:00:00.000Z")
  }
}
