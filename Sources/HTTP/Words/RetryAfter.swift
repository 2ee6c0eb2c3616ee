import Foundation

/// How long a peer asks to wait: `retry-after-ms`, else `Retry-After` by RFC 9110 section 10.2.3.
enum RetryAfter {
  /// Longer than a year is not a wait but a mistake, and would overflow what it is added to.
  static let longestSeconds: Double = 366 * 86_400

  /// The wait in seconds, never negative; nil where none is named, or none that makes sense.
  static func seconds(_ head: HTTPHead, now: Date = Date()) -> Double? {
    if let text = head.value("retry-after-ms"), let value = Double(text), isSane(value) {
      return min(value / 1000, longestSeconds)
    }
    guard let text = head.value("retry-after") else { return nil }
    if let value = Double(text) { return isSane(value) ? min(value, longestSeconds) : nil }
    guard let date = HTTPDate.secondsSince1970(text) else { return nil }
    return min(max(Double(date) - now.timeIntervalSince1970, 0), longestSeconds)
  }

  private static func isSane(_ value: Double) -> Bool {
    value.isFinite && value >= 0
  }
}
