/// The conversion between the protocol's nanoseconds since 1970 and the milliseconds of events.
enum WireInstant {
  private static let scale: UInt64 = 1_000_000

  /// Returns nanoseconds; 0, the protocol's value for no time, if they cannot be represented.
  static func nanoseconds(_ milliseconds: Int64) -> UInt64 {
    guard let instant = UInt64(exactly: milliseconds), instant <= UInt64.max / scale else {
      return 0
    }
    return instant * scale
  }

  /// Returns milliseconds.
  static func milliseconds(_ nanoseconds: UInt64) -> Int64 { Int64(nanoseconds / scale) }

  /// Returns the first nonzero instant, in milliseconds.
  static func first(of instants: UInt64...) -> Int64? {
    instants.first { $0 > 0 }.map(milliseconds)
  }
}
