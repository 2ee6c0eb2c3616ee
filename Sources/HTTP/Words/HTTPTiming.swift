/// The measurements that libcurl made of a finished transfer.
///
/// Times are counted from the submission of the request.
public struct HTTPTiming: Sendable, Hashable {
  /// The milliseconds until the name was resolved; 0 on a reused connection.
  public var nameLookupMs: Double
  /// The milliseconds until the connection and TLS were established; 0 on a reused connection.
  public var connectMs: Double
  /// The milliseconds until the response's first byte arrived.
  public var firstByteMs: Double
  /// The milliseconds until the response's last byte arrived.
  public var totalMs: Double
  /// The number of encoded body bytes received over the network.
  public var wireBytes: Int
  /// The address of the peer.
  ///
  /// If a proxy was used, it is the address of the proxy.
  public var remoteAddress: String?

  /// Creates measurements, for example for a test or a cache.
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
