/// The time limits of a request in seconds.
///
/// A limit of 0 means no limit.
public struct HTTPTimeouts: Sendable, Hashable, Codable {
  /// The limit for name lookup, connection and TLS handshake together.
  public var connect: Double = 5
  /// The limit for a silence of the peer.
  ///
  /// It applies as soon as the request can be sent.
  public var idle: Double = 120
  /// The limit for the whole request, from submission to the last byte of the body.
  public var total: Double = 600

  /// Creates the limits.
  ///
  /// A limit that is nil has the default value. The defaults are 5 s to connect, 120 s of silence
  /// and 600 s in total.
  public init(connect: Double? = nil, idle: Double? = nil, total: Double? = nil) {
    self.connect = connect ?? self.connect
    self.idle = idle ?? self.idle
    self.total = total ?? self.total
  }
}

/// Returns the given seconds as milliseconds that fit in a C `long`; nil for no limit.
///
/// A limit below one millisecond becomes one millisecond, because libcurl reads 0 as no limit.
func milliseconds(_ seconds: Double) -> Int? {
  guard seconds > 0, !seconds.isNaN else { return nil }
  return Int(min(max((seconds * 1000).rounded(.up), 1), Double(Int32.max)))
}

/// Returns the given seconds as text, without a fraction if the number is whole.
func shown(_ seconds: Double) -> String {
  seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds))" : "\(seconds)"
}
