import Testing

@testable import Command

/// Lengths of time as people write them.
@Suite struct SecondsTests {
  @Test(arguments: [
    ("0", 0.0), ("90", 90), ("1.5s", 1.5), ("10m", 600), ("2h", 7200), ("1d", 86_400),
    ("0.2s", 0.2),
  ])
  func `a number and a unit are seconds`(_ text: String, _ value: Double) {
    #expect(Seconds(argument: text)?.value == value)
  }

  @Test(arguments: ["", "s", "-1", "1w", "1 h", "nan", "inf", "1e9", "0x", "ten", "1m30s"])
  func `what is no length of time is refused`(_ text: String) {
    #expect(Seconds(argument: text) == nil)
  }

  @Test func `a default is written as it would be given`() {
    #expect(Seconds(seconds: 15).defaultValueDescription == "15s")
    #expect(Seconds(seconds: 0.2).defaultValueDescription == "0.2s")
    #expect(Seconds(argument: Seconds(seconds: 90).defaultValueDescription)?.value == 90)
  }
}
