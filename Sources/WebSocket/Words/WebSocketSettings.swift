/// The settings of a client's connection.
public struct WebSocketSettings: Sendable {
  /// The time for the connection and its handshake, in seconds.
  public var timeoutSeconds: Double = 15
  /// The limits for the server.
  public var limits = WebSocketLimits()
  /// The number of bytes of queued messages above which the server must wait.
  public var waitingBytes = 4 << 20
  /// The PEM file of trusted certificates that replaces the system's; if nil, the environment's
  /// `CURL_CA_BUNDLE` or `SSL_CERT_FILE` names it.
  public var trustedCertificates: String?

  /// Creates the defaults: 15 seconds, messages of 1 MiB, a queue of 4 MiB.
  public init() {}
}
