/// What a finished transfer measured, from submission on, by libcurl's own clock.
public struct HTTPTiming: Sendable, Hashable {
  /// Milliseconds until the name was resolved; 0 on a reused connection.
  public var nameLookupMs: Double
  /// Milliseconds until the connection was made, TLS included; 0 on a reused connection.
  public var connectMs: Double
  /// Milliseconds until the response's first byte.
  public var firstByteMs: Double
  /// Milliseconds until the last byte.
  public var totalMs: Double
  /// Body bytes as they came over the network, before decoding.
  public var wireBytes: Int
  /// The peer's address: the proxy's, where one was used.
  public var remoteAddress: String?

  /// Creates a measurement, as a test or a cache needs it.
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
