import Foundation

/// An instant, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Records contain it as ISO 8601 text in UTC with milliseconds (`2026-02-25T10:00:00.000Z`). It is
/// an integer, because a `Double` of seconds could change when written and read.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// The milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  /// The first millisecond of the year 0, and the last millisecond of the year 9999.
  private static let first: Int64 = -62_167_219_200_000
  private static let last: Int64 = 253_402_300_799_999

  /// Creates the instant from milliseconds since 1970.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The current time by the system's clock (clock_gettime(2), CLOCK_REALTIME).
  public static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// The instant as text in the form `2026-02-25T10:00:00.000Z`.
  ///
  /// It is clamped to the years 0 to 9999, which this form can express.
  public var iso8601: String {
    let milliseconds = min(max(milliseconds, Self.first), Self.last)
    let day = milliseconds.flooredDivision(by: 86_400_000)
    let date = CalendarDay(daysSince1970: day)
    let rest = milliseconds - day * 86_400_000
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
      + "T\(time[0]):\(time[1]):\(time[2]).\(padded(rest % 1000, 3))Z"
  }

  /// Creates an instant from the given ISO 8601 text, which must have an offset or `Z`.
  ///
  /// Fractions of a second are truncated to milliseconds.
  public init?(iso8601 text: String) {
    guard let value = text.utf8.withContiguousStorageIfAvailable(InstantParser.milliseconds) ?? nil
    else { return nil }
    milliseconds = value
  }

  /// Returns `true` if the first instant is earlier than the second.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns the seconds from the given earlier instant to this one.
  public func seconds(since earlier: Timestamp) -> Double {
    (Double(milliseconds) - Double(earlier.milliseconds)) / 1000
  }

  /// Returns the instant that is `seconds` later, clamped to the years 0 to 9999.
  public func adding(seconds: Double) -> Timestamp {
    let sum = Double(milliseconds) + (seconds * 1000).rounded()
    let bounded = min(max(sum, Double(Self.first)), Double(Self.last))
    return Timestamp(milliseconds: Int64(exactly: bounded) ?? Self.last)
  }
}

extension Timestamp: Codable {
  /// Decodes the instant from ISO 8601 text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Timestamp(iso8601: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not an ISO 8601 instant")
    }
    self = value
  }

  /// Encodes the instant as ISO 8601 text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(iso8601)
  }
}

/// A day of the proleptic Gregorian calendar, computed by Howard Hinnant's `civil_from_days`.
private struct CalendarDay {
  var year: Int64
  var month: Int64
  var day: Int64

  init(daysSince1970: Int64) {
    let shifted = daysSince1970 + 719_468
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
