import NIOCore

extension SocketAddress {
  /// The address without its port; one of IPv4 is written as such, and IPv6 without its zone.
  var plainAddress: String? {
    ipAddress.map { text in
      String((text.hasPrefix("::ffff:") ? text.dropFirst(7) : text[...]).prefix { $0 != "%" })
    }
  }

  /// Whether it is an address of this machine that no other can send from (RFC 6890).
  var isLoopback: Bool {
    switch self {
    case .v4: ipAddress?.hasPrefix("127.") ?? false
    case .v6: ipAddress == "::1" || ipAddress?.hasPrefix("::ffff:127.") ?? false
    case .unixDomainSocket: true
    }
  }
}
