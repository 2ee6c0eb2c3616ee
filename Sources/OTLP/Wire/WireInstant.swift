/// The conversion between nanoseconds since 1970 (in the protocol) and milliseconds (in events).
enum WireInstant {
  private static let scale: UInt64 = 1_000_000

  /// Returns the given milliseconds as nanoseconds.
  ///
  /// If they are out of range, returns 0, which means no time.
  static func nanoseconds(_ milliseconds: Int64) -> UInt64 {
    guard let instant = UInt64(exactly: milliseconds), instant <= UInt64.max / scale else {
      return 0
    }
    return instant * scale
  }

  /// Returns the given nanoseconds as milliseconds.
  static func milliseconds(_ nanoseconds: UInt64) -> Int64 { Int64(nanoseconds / scale) }

  /// Returns the first of the given times that is not 0, in milliseconds; nil if all are 0.
  static func first(of instants: UInt64...) -> Int64? {
    instants.first { $0 > 0 }.map(milliseconds)
  }
}
