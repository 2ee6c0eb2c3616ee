/// The settings of a client's connection.
public struct WebSocketSettings: Sendable {
  /// The maximum time for connecting and for the handshake, in seconds.
  public var timeoutSeconds: Double = 15
  /// The maximum time for the TCP connection, in seconds; nil for ``timeoutSeconds``.
  public var connectSeconds: Double?
  /// The limits for the server's messages and response times.
  public var limits = WebSocketLimits()
  /// The size of queued messages in bytes from which the server must wait.
  public var waitingBytes = 4 << 20
  /// The path of the PEM file with the trusted certificates.
  ///
  /// If it is nil, `CURL_CA_BUNDLE` or `SSL_CERT_FILE` in the environment names the file. If
  /// neither is set, the system's certificates are trusted.
  public var trustedCertificates: String?

  /// Creates the default settings: a timeout of 15 seconds, messages of 1 MiB, and a queue of 4
  /// MiB.
  public init() {}
}
