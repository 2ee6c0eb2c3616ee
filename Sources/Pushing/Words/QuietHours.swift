import Core
import Foundation

/// A daily period, by the clock of the machine's time zone, in which only critical alerts are sent.
struct QuietHours: Sendable, Hashable {
  /// The minutes after midnight at which the period starts and ends.
  private let start: Int, end: Int

  /// Creates the period that a text such as `22:00-07:00` describes; nil if it describes none.
  init?(_ text: String) {
    let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
    guard times.count == 2, let start = times[0], let end = times[1], start != end else {
      return nil
    }
    (self.start, self.end) = (start, end)
  }

  /// Returns the end of the period that the given instant is in; nil if it is in none.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - zone: The time zone whose clock counts.
  /// - Returns: The end.
  func end(of instant: Timestamp, in zone: TimeZone = .current) -> Timestamp? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    guard let hour = parts.hour, let minute = parts.minute else { return nil }
    let now = hour * 60 + minute
    guard start < end ? start <= now && now < end : start <= now || now < end else { return nil }
    let wanted = DateComponents(hour: self.end / 60, minute: self.end % 60, second: 0)
    // A day on which the clock skips the end has the next instant in its place.
    let end = calendar.nextDate(after: date, matching: wanted, matchingPolicy: .nextTime)
    return end.map { Timestamp(milliseconds: Int64(($0.timeIntervalSince1970 * 1000).rounded())) }
  }

  private static func minutes(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy(\.isDigit) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }
}
