public import Core

/// A calendar day in UTC, written in the form `2026-11-23` (RFC 3339, full-date).
public struct Day: Sendable, Hashable, Comparable, CustomStringConvertible {
  private static let milliseconds: Int64 = 86_400_000

  /// The number of days since 1970-01-01.
  public let number: Int

  /// Creates the day, in UTC, that contains the given instant.
  public init(_ instant: Timestamp) {
    let (quotient, remainder) = instant.milliseconds.quotientAndRemainder(
      dividingBy: Self.milliseconds)
    number = Int(remainder < 0 ? quotient - 1 : quotient)
  }

  /// Creates a day from text such as `2026-11-23`; nil for any other text.
  public init?(_ text: String) {
    guard text.utf8.count == 10, let instant = Timestamp(iso8601: text + "T00:00:00Z") else {
      return nil
    }
    self.init(instant)
  }

  /// The current day by the system's clock.
  public static var today: Day { Day(.now) }

  /// The day in the form `2026-11-23`.
  public var description: String {
    String(Timestamp(milliseconds: Int64(number) * Self.milliseconds).iso8601.prefix(10))
  }

  /// Returns the number of days from this day to `other`; negative if `other` is earlier.
  public func days(until other: Day) -> Int { other.number - number }

  /// Returns `true` if the first day is earlier than the second.
  public static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}
