/// The measurements of a finished transfer by libcurl; times are counted from its submission.
public struct HTTPTiming: Sendable, Hashable {
  /// Milliseconds until the name was resolved; 0 on a reused connection.
  public var nameLookupMs: Double
  /// Milliseconds until the connection was established, TLS included; 0 on a reused connection.
  public var connectMs: Double
  /// Milliseconds until the response's first byte.
  public var firstByteMs: Double
  /// Milliseconds until the last byte.
  public var totalMs: Double
  /// The number of encoded body bytes received over the network.
  public var wireBytes: Int
  /// The address of the peer, or of the proxy if one was used.
  public var remoteAddress: String?

  /// Creates measurements, as for a test or a cache.
  public init(
    nameLookupMs: Double = 0, connectMs: Double = 0, firstByteMs: Double = 0, totalMs: Double = 0,
    wireBytes: Int = 0, remoteAddress: String? = nil
  ) {
    self.nameLookupMs = nameLookupMs
    self.connectMs = connectMs
    self.firstByteMs = firstByteMs
    self.totalMs = totalMs
    self.wireBytes = wireBytes
    self.remoteAddress = remoteAddress
  }
}
