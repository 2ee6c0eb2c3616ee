import Core
import Testing

@testable import Display

/// Numbers, times and ids as a person says them.
@Suite struct WordsTests {
  @Test(arguments: [
    (nil, "$?"), (0, "$0.00"), (0.0302, "$0.0302"), (0.1, "$0.10"), (12.345, "$12.35"),
    (0.000_04, "<$0.0001"), (0.000_06, "$0.0001"),
  ])
  func `small sums have more places`(_ cost: Double?, _ text: String) {
    #expect(Numbers.dollars(cost) == text)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1.0k"), (12_345, "12k"), (999_499, "999k"),
    (999_500, "1.0M"), (182_000_000, "182M"), (3_000_000_000, "3.0G"),
  ])
  func `counts are short`(_ count: Int, _ text: String) {
    #expect(Numbers.short(count) == text)
  }

  @Test(arguments: [
    (0.4, "just now"), (5, "5 s ago"), (99, "99 s ago"), (180, "3 min ago"), (7200, "2 h ago"),
    (200_000, "2 days ago"), (700_000, "2026-02-17"), (-60, "in 60 s"),
  ])
  func `times are told as a person says them`(_ seconds: Double, _ text: String) throws {
    let now = Timestamp(milliseconds: 1_772_013_600_000)
    let then = Timestamp(milliseconds: now.milliseconds - Int64(seconds * 1000))
    #expect(Ago.text(then, now: now) == text)
  }

  @Test func `ids are as short as tells them apart`() {
    let ids = [
      "0198f3a1-7b3c-7def-8123-456789abcdef", "0198f3a1-7b3c-7def-8123-456789abcdee", "linter",
    ]
    #expect(ids.map(ShortIDs(ids).short) == ["89abcdef", "89abcdee", "linter"])
    let near = [
      "0198f3a1-7b3c-7def-8123-456789abcdef", "0198f3a1-7b3c-7def-8123-446789abcdef",
    ]
    #expect(near.map(ShortIDs(near).short) == ["456789abcdef", "446789abcdef"])
    // The sessions of a program begin at about the same time.
    let agents = ["codex-\(ids[0])", "codex-\(ids[1])", "Codex-\(ids[0])", "-\(ids[0])"]
    #expect(
      agents.map(ShortIDs(agents).short)
        == ["89abcdef", "89abcdee", "Codex-\(ids[0])", "-\(ids[0])"])
  }

  @Test func `plots fit`() {
    #expect(Plots.sparkline([0, 0, 1, 1, 3, 1], width: 3) == " ▄▇")
    #expect(Plots.sparkline([0, 0], width: 3) == "")
    #expect(Plots.gauge(0.91, width: 10) == "█████████░")
    #expect(Plots.bar(0.001, of: 1, width: 4) == "▏")
    #expect(Plots.bar(1, of: 1, width: 4) == "████")
    #expect(Plots.bar(0, of: 1, width: 4) == "")
  }

  @Test(arguments: [1e300, -1e300, .infinity, -.infinity, .nan])
  func `no number is too large to be told`(_ value: Double) {
    #expect(!Numbers.percent(value).isEmpty)
    #expect(!Ago.span(value).isEmpty)
    #expect(!Plots.gauge(value, width: 4).isEmpty || value.isNaN)
  }

  @Test(arguments: [1e300, -1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 1e18])
  func `no value is too large to be drawn`(_ value: Double) {
    for other in [value, 1, 0, -1, .infinity, .nan, 1e300, .leastNonzeroMagnitude] {
      for (part, whole) in [(value, other), (other, value)] {
        let bar = Plots.bar(part, of: whole, width: 4)
        #expect(bar.count <= 4 && (bar.isEmpty || part > 0 && whole > 0))
      }
    }
  }

  @Test func `sums that no integer holds are drawn`() {
    #expect(Plots.sparkline([.max, .max, .max, 0], width: 2) == "█▅")
    #expect(Plots.sparkline([1 << 60, 5], width: 2) == "█▁")
  }
}
