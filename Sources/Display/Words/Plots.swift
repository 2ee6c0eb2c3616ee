/// Plots of numbers that fit on one line.
public enum Plots {
  private static let heights = Array("▁▂▃▄▅▆▇█")
  private static let eighths = Array("▏▎▍▌▋▊▉█")

  /// Returns a plot in which each character shows one value, relative to the greatest value.
  ///
  /// The plot is empty if all values are 0.
  ///
  /// - Parameters:
  ///   - values: The values, 0 or more.
  ///   - width: The maximum number of characters. If there are more values, neighbours are summed.
  ///   - whole: The totals of which the values are parts, in the same order. If they are given, the
  ///     plot has the scale of the totals.
  /// - Returns: The plot, with one character for each value or sum of neighbours.
  public static func sparkline(_ values: [Int], width: Int, of whole: [Int]? = nil) -> String {
    guard width > 0, !values.isEmpty else { return "" }
    let sums = sums(values, width)
    guard let most = (sums + self.sums(whole ?? [], width)).max(), most > 0 else { return "" }
    return String(sums.map { $0 <= 0 ? " " : heights[min(7, max(0, Int($0 * 8 / (most + 1))))] })
  }

  private static func sums(_ values: [Int], _ width: Int) -> [Double] {
    let step = max(1, (values.count + width - 1) / width)
    return stride(from: 0, to: values.count, by: step).map {
      values[$0..<min($0 + step, values.count)].reduce(0.0) { $0 + Double($1) }
    }
  }

  /// Returns a bar of `width` cells, of which the given fraction is filled.
  public static func gauge(_ part: Double, width: Int) -> String {
    let full = Numbers.whole((min(1, max(0, part)) * Double(width)).rounded())
    return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
  }

  /// Returns a bar whose length is proportional to the given value, in eighths of a cell.
  ///
  /// The bar is empty unless the value is above 0.
  public static func bar(_ value: Double, of greatest: Double, width: Int) -> String {
    guard greatest > 0, value > 0, width > 0 else { return "" }
    // Every value above 0 is visible. If value and greatest are both infinite, the bar is full.
    let part = value < greatest ? value / greatest : 1
    let steps = max(1, Numbers.whole((part * Double(width * 8)).rounded()))
    let rest = steps % 8
    return String(repeating: "█", count: steps / 8) + (rest == 0 ? "" : String(eighths[rest - 1]))
  }
}
