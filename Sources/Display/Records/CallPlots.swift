/// Plots of a skill's calls, which show their latencies and their failures over time.
public struct CallPlots: Sendable {
  private let latencies: [(milliseconds: Double, calls: Int)]
  private let series: [(title: String, calls: [Int], failures: [Int])]

  /// - Parameters:
  ///   - latencies: The number of calls in each latency class, from shortest to longest. A class is
  ///     identified by its upper bound in milliseconds.
  ///   - series: The titles, and the calls and failures in consecutive intervals of equal length.
  ///     The oldest interval is first.
  public init(
    latencies: [(milliseconds: Double, calls: Int)],
    series: [(title: String, calls: [Int], failures: [Int])]
  ) {
    self.latencies = latencies
    self.series = series
  }

  /// The maximum number of bars in a histogram.
  ///
  /// If there are more, each bar covers a range ten times as wide.
  private static let mostBars = 12

  /// Returns the plots as lines, each with its line end.
  ///
  /// The text is empty if there were no calls.
  public func text(_ text: RecordText) -> String {
    let width = text.width ?? 80
    var blocks: [[String]] = []
    if !latencies.isEmpty {
      let lines = histogram(width: width - 2).lines(
        width: width - 2, palette: text.palette, hasHeadings: false)
      blocks.append(
        [title("how long calls took in the last day", width, text)] + lines.map { "  " + $0 })
    }
    for one in series where one.calls.contains(where: { $0 > 0 }) {
      let room = max(1, width - 10)
      let calls = Plots.sparkline(one.calls, width: room)
      let failed = Plots.sparkline(one.failures, width: room, of: one.calls)
      blocks.append([
        title(one.title, width, text), line("calls", calls, text, look: .accent, width: width),
        line("failed", failed, text, look: .bad, width: width),
      ])
    }
    return blocks.map { "\n" + $0.map { $0 + "\n" }.joined() }.joined()
  }

  private func title(_ words: String, _ width: Int, _ text: RecordText) -> String {
    text.palette.painted(Cells.cut(words.uppercased(), to: width), .heading)
  }

  private func line(
    _ name: String, _ plot: String, _ text: RecordText, look: Look, width: Int
  ) -> String {
    let shown = plot.allSatisfy({ $0 == " " }) ? "none" : plot
    let name = Cells.cut("  \(Cells.padded(name, to: 8))", to: width)
    return name + text.palette.painted(Cells.cut(shown, to: max(0, width - 10)), look)
  }

  /// Returns a histogram with one bar for each range of latencies.
  ///
  /// The ranges end at 1, 2, 5, 10 … milliseconds.
  private func histogram(width: Int) -> Table {
    var bars = bars(ends: [1, 2, 5])
    if bars.count > Self.mostBars { bars = self.bars(ends: [1]) }
    let most = Double(bars.map(\.calls).max() ?? 0)
    let room = max(4, min(40, width - 20))
    return Table(
      [
        TableColumn("to", .number, importance: 3), TableColumn("calls", .number, importance: 2),
        TableColumn("", .plot, importance: 1),
      ],
      bars.map { bar in
        [
          TableCell("≤ " + Self.length(bar.milliseconds)), TableCell(Numbers.short(bar.calls)),
          TableCell(drawn: Plots.bar(Double(bar.calls), of: most, width: room), .accent),
        ]
      })
  }

  /// Returns the number of calls in each range, from the first range with calls to the last.
  ///
  /// The ranges end at `ends` times each power of ten.
  private func bars(ends: [Double]) -> [(milliseconds: Double, calls: Int)] {
    var bars: [(milliseconds: Double, calls: Int)] = []
    var rest = latencies[...]
    // The powers reach from a hundredth of a millisecond to thirty years; no call takes longer.
    for power in -2...12 {
      for end in ends {
        let bound =
          end
          * (0..<abs(power)).reduce(1.0) { value, _ in
            power < 0 ? value / 10 : value * 10
          }
        // The given classes are 2.3 % wide, so a class may end slightly beyond the bound.
        let own = rest.prefix { $0.milliseconds <= bound * 1.01 }
        rest = rest.dropFirst(own.count)
        let calls = own.reduce(0) { $0 + $1.calls }
        if calls > 0 || !bars.isEmpty { bars.append((bound, calls)) }
        if rest.isEmpty { return bars }
      }
    }
    return bars
  }

  private static func length(_ milliseconds: Double) -> String {
    switch milliseconds {
    case ..<1: "\(milliseconds) ms"
    case ..<1000: "\(Numbers.whole(milliseconds)) ms"
    case ..<100_000: "\(Numbers.whole(milliseconds / 1000)) s"
    default: Ago.span(milliseconds / 1000)
    }
  }
}
