import Foundation

/// The wait that a peer requests by `retry-after-ms` or `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// The maximum wait, which is a year.
  ///
  /// A longer wait could overflow a sum.
  static let longestSeconds: Double = 366 * 86_400

  /// Returns the wait in seconds that the given head requests, at least 0.
  ///
  /// It is nil if the head requests no wait or an invalid one.
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
