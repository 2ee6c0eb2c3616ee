import Foundation

/// Conversions of numbers to text for people.
public enum Numbers {
  /// Returns the given cost in US dollars; `$?` if it is unknown.
  ///
  /// Small sums have more digits, so that no cost is shown as 0.
  public static func dollars(_ cost: Double?) -> String {
    guard let cost else { return "$?" }
    if cost > 0, cost < 0.000_05 { return "<$0.0001" }
    return String(format: cost != 0 && cost < 0.1 ? "$%.4f" : "$%.2f", cost)
  }

  /// Returns the given cost; if a part of it is unknown, the known part and a question mark.
  public static func dollars(_ cost: Double?, known: Double?) -> String {
    guard cost == nil, let known, known > 0 else { return dollars(cost) }
    return dollars(known) + " + ?"
  }

  /// Returns the given count in few characters, such as `950`, `12.3k` or `4.1M`.
  public static func short(_ count: Int) -> String {
    let value = Double(count)
    switch abs(value) {
    case ..<1000: return "\(count)"
    case ..<9950: return String(format: "%.1fk", value / 1000)
    case ..<999_500: return String(format: "%.0fk", value / 1000)
    case ..<9_950_000: return String(format: "%.1fM", value / 1_000_000)
    case ..<999_500_000: return String(format: "%.0fM", value / 1_000_000)
    default: return String(format: "%.1fG", value / 1_000_000_000)
    }
  }

  /// Returns the given count with its noun, such as `1 agent` or `2 agents`.
  public static func of(_ count: Int, _ thing: String) -> String {
    "\(short(count)) \(thing)\(count == 1 ? "" : "s")"
  }

  /// Returns the given fraction as a whole percentage.
  public static func percent(_ part: Double) -> String { "\(whole((part * 100).rounded())) %" }

  /// Returns the given value rounded toward zero and clamped to the range of `Int`; 0 for NaN.
  public static func whole(_ value: Double) -> Int {
    value.isNaN ? 0 : Int(max(-9e18, min(9e18, value)))
  }
}
