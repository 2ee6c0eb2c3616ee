/// How a client connects and reads.
public struct WebSocketSettings: Sendable {
  /// How long the connection and its handshake may take together, in seconds.
  public var timeoutSeconds: Double = 15
  /// What is taken of the server.
  public var limits = WebSocketLimits()
  /// How many bytes of messages wait to be received before the server has to wait.
  public var waitingBytes = 4 << 20
  /// A file of certificates, PEM, that are trusted in the place of the system's; else the
  /// environment's `CURL_CA_BUNDLE` or `SSL_CERT_FILE` names it.
  public var trustedCertificates: String?

  /// 15 seconds, messages of 1 MiB, 4 MiB of them waiting.
  public init() {}
}
