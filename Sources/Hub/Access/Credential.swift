import NIOCore
import Signing

/// A credential that identifies the sender of a request.
enum Credential: Sendable {
  /// An `Authorization` field with a bearer token (RFC 6750); nil if the request has no such field.
  ///
  /// The owner's token is valid only if `isLocal` is `true`.
  case bearer(String?, isLocal: Bool)
  /// A signature over the request and its body (RFC 9421).
  case signature(SignedMessage, body: [UInt8], Ends)
  /// The address of a companion that does not sign.
  case address(Ends)
  /// A process of the user that the hub runs as.
  case owner(Ends)

  /// The two ends of the connection of a request.
  struct Ends: Sendable {
    /// The address of the peer.
    var peer: SocketAddress?
    /// The address of our end.
    var local: SocketAddress?
    /// `true` if the connection uses TLS.
    var isSecure = false
  }
}
