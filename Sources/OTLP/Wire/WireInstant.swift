/// The conversion between the protocol's nanoseconds since 1970 and the milliseconds of events.
enum WireInstant {
  private static let scale: UInt64 = 1_000_000

  /// Returns the given milliseconds as nanoseconds; 0, which means no time, if they are out of
  /// range.
  static func nanoseconds(_ milliseconds: Int64) -> UInt64 {
    guard let instant = UInt64(exactly: milliseconds), instant <= UInt64.max / scale else {
      return 0
    }
    return instant * scale
  }

  /// Returns the given nanoseconds as milliseconds.
  static func milliseconds(_ nanoseconds: UInt64) -> Int64 { Int64(nanoseconds / scale) }

  /// Returns the first of the given instants that is not 0, in milliseconds; nil if all are 0.
  static func first(of instants: UInt64...) -> Int64? {
    instants.first { $0 > 0 }.map(milliseconds)
  }
}
