public import Core
import Foundation

/// Times in words for people.
public enum Ago {
  /// Returns the age of the given instant, such as `just now`, `3 min ago` or `2 days ago`.
  ///
  /// If the instant is long ago, its day is returned.
  public static func text(_ instant: Timestamp, now: Timestamp) -> String {
    let seconds = Numbers.whole(now.seconds(since: instant).rounded(.down))
    return switch seconds {
    case ..<(-1): "in " + span(Double(-seconds))
    case ..<2: "just now"
    case ..<100: "\(seconds) s ago"
    case ..<604_800: span(Double(seconds)) + " ago"
    default: day(instant)
    }
  }

  /// Returns the given duration, in seconds, as text in the most suitable unit.
  public static func span(_ seconds: Double) -> String {
    switch seconds {
    case ..<0: "0 s"
    case ..<10: "\(String(format: "%.1f", seconds)) s"
    case ..<100: "\(Numbers.whole(seconds)) s"
    case ..<6000: "\(Numbers.whole(seconds / 60)) min"
    case ..<172_800: "\(Numbers.whole(seconds / 3600)) h"
    default: "\(Numbers.whole(seconds / 86_400)) days"
    }
  }

  /// Returns the day of the given instant in UTC, such as `2026-02-25`.
  public static func day(_ instant: Timestamp) -> String { String(instant.iso8601.prefix(10)) }

  /// Returns the time of day of the given instant in UTC, such as `10:00:00`.
  public static func time(_ instant: Timestamp) -> String {
    String(instant.iso8601.dropFirst(11).prefix(8))
  }
}
