import NIOCore
import Signing

/// A credential that identifies the sender of a request.
enum Credential: Sendable {
  /// An `Authorization` field with a bearer token (RFC 6750); nil if the request has no such field.
  ///
  /// The owner's token is accepted only if `isLocal` is `true`.
  case bearer(String?, isLocal: Bool)
  /// The values of the cookie of a browser, of which at most one is its token.
  ///
  /// `isSecure` is `true` if the browser reaches the hub over https.
  case cookie([String], isSecure: Bool, Ends)
  /// A signature over the request and its body (RFC 9421).
  case signature(SignedMessage, body: [UInt8], Ends)
  /// The address of a companion that does not sign its requests.
  case address(Ends)
  /// A process that runs as the same user as the hub.
  case owner(Ends)

  /// The addresses of both ends of the connection.
  struct Ends: Sendable {
    /// The address of the peer.
    var peer: SocketAddress?
    /// The address of our end.
    var local: SocketAddress?
    /// `true` if the connection uses TLS.
    var isSecure = false
  }
}
