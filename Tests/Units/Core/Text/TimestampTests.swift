import Foundation
import TestSupport
import Testing

@testable import Core

struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_772_013_600_000, "2026-02-25T10:00:00.000Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
      (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
      (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func `an instant is written in UTC with milliseconds`(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
    #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds)
  }

  @Test func `random instants survive being written and read`() {
    var random = SeededRandom(seed: 6)
    for _ in 0..<5000 {
      let instant = Timestamp(
        milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
      #expect(Timestamp(iso8601: instant.iso8601) == instant)
    }
  }

  @Test(arguments: [
    "2026-02-25T10:00:00Z", "2026-02-25T11:00:00+01:00", "2026-02-25T10:00:00.0Z",
    "2026-02-25T05:00:00.000-05:00", "2026-02-25T10:00:00.000999Z", "2026-02-25t10:00:00z",
    "2026-02-25T10:30:00+0030", "2026-02-25T08:00:00-02",
  ])
  func `other forms of an instant are read`(text: String) {
    #expect(Timestamp(iso8601: text)?.milliseconds == 1_772_013_600_000)
  }

  @Test(arguments: [
    "", "now", "2026", "2026-13-01T00:00:00Z", "2023-02-29T00:00:00Z", "2026-02-30T25:00:00Z",
    "1772013600000",
    "2026-02-25T10:00:00.000Z and more", "99999999999999-01-01T00:00:00Z", "2026-02-25T10:00:00",
    "2026-02-25T10:00:00.Z",
    "2026-02-25T10:00:00+1:00", "２026-02-25T10:00:00Z", "-026-02-25T10:00:00Z",
  ])
  func `what is no instant is refused`(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test func `random texts are never fatal`() {
    var random = SeededRandom(seed: 7)
    let pieces = ["2026", "-", "02", "T", ":", "10", ".", "Z", "+", "999999999999", "0", " "]
    for _ in 0..<3000 {
      let count = Int.random(in: 0...14, using: &random)
      let text = (0..<count).map { _ in random.one(of: pieces, else: "") }.joined()
      if let instant = Timestamp(iso8601: text) {
        #expect(Timestamp(iso8601: instant.iso8601) == instant)
      }
    }
  }

  @Test(arguments: [1e300, -1e300, .infinity, -.infinity, .nan, 1e15, -1e15])
  func `an instant that is moved far can still be written and read`(seconds: Double) {
    let moved = Timestamp(milliseconds: 0).adding(seconds: seconds)
    #expect(Timestamp(iso8601: moved.iso8601) == moved)
  }

  @Test func `any number of milliseconds can be written`() {
    for milliseconds in [Int64.min, .min + 1, -1, .max - 1, .max] {
      #expect(Timestamp(milliseconds: milliseconds).iso8601.hasSuffix("Z"))
    }
  }

  @Test func `seconds are counted between instants`() {
    let start = Timestamp(milliseconds: 1000)
    #expect(start.adding(seconds: 1.5).milliseconds == 2500)
    #expect(start.adding(seconds: 1.5).seconds(since: start) == 1.5)
  }
}

struct IdentifierTests {
  @Test func `an id is a UUID of version 7 in lower case`() throws {
    let before = Timestamp.now.milliseconds
    let id = Identifier.make()
    let parts = id.split(separator: "-")
    #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
    #expect(id.allSatisfy { $0 == "-" || ($0.isHexDigit && !$0.isUppercase) })
    #expect(parts[2].first == "7")
    #expect("89ab".contains(try #require(parts[3].first)))
    let time = try #require(Int64(parts[0] + parts[1], radix: 16))
    // Other tests may have drawn the clock part a little ahead.
    #expect(time >= before && time < before + 600_000)
  }

  @Test func `ids sort in the order in which they were made`() {
    var last = ""
    for _ in 0..<100_000 {
      let id = Identifier.make()
      guard last < id else {
        Issue.record("\(id) after \(last)")
        return
      }
      last = id
    }
  }

  @Test func `ids of many threads differ, and each thread's sort`() async {
    let ids = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<5000).map { _ in Identifier.make() } }
      }
      var all: [String] = []
      for await some in group {
        #expect(some == some.sorted())
        all += some
      }
      return all
    }
    #expect(Set(ids).count == 40_000)
  }
}
