import Core
import Testing

@testable import Display

/// How calls went, as pictures.
@Suite struct CallPlotsTests {
  private func text(
    _ latencies: [(milliseconds: Double, calls: Int)], failures: [Int] = [0, 1, 0, 2],
    width: Int = 40
  ) -> String {
    CallPlots(
      latencies: latencies,
      series: [("the last hour by minute", [1, 4, 0, 2], failures), ("the last day", [0], [0])]
    ).text(RecordText(width: width))
  }

  @Test func `latencies are a bar for each length of time, failures stand below all calls`() {
    #expect(
      text([(98, 3), (102, 1), (170, 8), (1200, 2)]) == """

        HOW LONG CALLS TOOK IN THE LAST DAY
          ≤ 100 ms  3  ██████
          ≤ 200 ms  9  ██████████████████
          ≤ 500 ms  0
             ≤ 1 s  0
             ≤ 2 s  2  ████

        THE LAST HOUR BY MINUTE
          calls   ▂▇ ▄
          failed   ▂ ▄

        """)
    #expect(text([], failures: [0, 0, 0, 0]).hasSuffix("  failed  none\n"))
  }

  @Test func `what is far apart is drawn in fewer bars`() {
    let shown = text([(0.01, 1), (4, 1), (3_600_000, 1), (1e12, 1)]).split(separator: "\n")
    #expect(shown.count(where: { $0.contains("≤") }) == 15)
    #expect(shown.contains { $0.contains("≤ 0.01 ms") } && shown.contains { $0.contains("days") })
  }

  @Test(arguments: 12...120) func `no line is wider than the terminal`(_ width: Int) {
    let shown = text([(0.01, 1), (4, 900_000), (1e12, 1)], width: width)
    #expect(shown.split(separator: "\n").allSatisfy { Cells.width($0) <= width })
  }
}
