import Foundation

/// An instant, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Records write it as ISO 8601 in UTC with milliseconds (`2026-02-25T10:00:00.000Z`). Whole
/// numbers, because a Double of seconds does not survive that round trip.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  /// Creates the instant from milliseconds since 1970.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The present, by the system's clock (clock_gettime(2), CLOCK_REALTIME).
  public static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// The instant as `2026-02-25T10:00:00.000Z`.
  public var iso8601: String {
    let day = milliseconds.flooredDivision(by: 86_400_000)
    let date = CalendarDay(daysSince1970: day)
    let rest = milliseconds - day * 86_400_000
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
      + "T\(time[0]):\(time[1]):\(time[2]).\(padded(rest % 1000, 3))Z"
  }

  /// Reads an ISO 8601 instant with an offset or `Z`, with or without a fraction of a second.
  public init?(iso8601 text: String) {
    let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let whole = Date.ISO8601FormatStyle()
    guard let date = (try? fractional.parse(text)) ?? (try? whole.parse(text)) else { return nil }
    let seconds = date.timeIntervalSince1970
    guard abs(seconds) < 253_402_300_800 else { return nil }
    self.milliseconds = Int64((seconds * 1000).rounded())
  }

  /// Whether the first instant is the earlier one.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The seconds from an earlier instant to this one.
  public func seconds(since earlier: Timestamp) -> Double {
    Double(milliseconds - earlier.milliseconds) / 1000
  }

  /// The instant so many seconds later.
  public func adding(seconds: Double) -> Timestamp {
    let sum = Double(milliseconds) + (seconds * 1000).rounded()
    return Timestamp(milliseconds: Int64(exactly: sum) ?? .max)
  }
}

extension Timestamp: Codable {
  /// Decodes the value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Timestamp(iso8601: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not an ISO 8601 instant")
    }
    self = value
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(iso8601)
  }
}

/// A day of the proleptic Gregorian calendar, by the era arithmetic of Howard Hinnant's
/// `civil_from_days`.
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
