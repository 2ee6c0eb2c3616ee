/// How long a request may take, in seconds; 0 means no limit.
public struct HTTPTimeouts: Sendable, Hashable, Codable {
  /// Name lookup, connection and TLS handshake together.
  public var connect: Double = 5
  /// The longest silence of the peer once the request can be sent.
  public var idle: Double = 120
  /// The whole request, from submission to the body's last byte.
  public var total: Double = 600

  /// Creates the limits; what is nil is 5 s to connect, 120 s of silence, 600 s in all.
  public init(connect: Double? = nil, idle: Double? = nil, total: Double? = nil) {
    self.connect = connect ?? self.connect
    self.idle = idle ?? self.idle
    self.total = total ?? self.total
  }
}

/// Seconds as the milliseconds a C `long` of any platform holds, or nil for no limit.
///
/// A limit below one millisecond becomes one, since libcurl reads 0 as none.
func milliseconds(_ seconds: Double) -> Int? {
  guard seconds > 0, !seconds.isNaN else { return nil }
  return Int(min(max((seconds * 1000).rounded(.up), 1), Double(Int32.max)))
}

/// Seconds for a sentence: without a fraction where there is none.
func shown(_ seconds: Double) -> String {
  seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds))" : "\(seconds)"
}
