/// Instants: the protocol has nanoseconds since 1970, events have milliseconds.
enum WireInstant {
  private static let scale: UInt64 = 1_000_000

  /// Nanoseconds; 0, which the protocol has for none, for what cannot be said in them.
  static func nanoseconds(_ milliseconds: Int64) -> UInt64 {
    guard let instant = UInt64(exactly: milliseconds), instant <= UInt64.max / scale else {
      return 0
    }
    return instant * scale
  }

  /// Milliseconds.
  static func milliseconds(_ nanoseconds: UInt64) -> Int64 { Int64(nanoseconds / scale) }

  /// The first instant that is one, in milliseconds.
  static func first(of instants: UInt64...) -> Int64? {
    instants.first { $0 > 0 }.map(milliseconds)
  }
}
