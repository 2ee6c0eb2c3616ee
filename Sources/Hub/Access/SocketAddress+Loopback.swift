import NIOCore

extension SocketAddress {
  /// Whether it is an address of this machine that no other can send from (RFC 6890).
  var isLoopback: Bool {
    switch self {
    case .v4: ipAddress?.hasPrefix("127.") ?? false
    case .v6: ipAddress == "::1" || ipAddress?.hasPrefix("::ffff:127.") ?? false
    case .unixDomainSocket: true
    }
  }
}
