import HTTP
import NIOCore

extension NIOCore.SocketAddress {
  /// The address without its port; one of IPv4 is written as such, and IPv6 without its zone.
  var plainAddress: String? {
    ipAddress.map { text in
      String((text.hasPrefix("::ffff:") ? text.dropFirst(7) : text[...]).prefix { $0 != "%" })
    }
  }

  /// `true` for an address of this machine that no other can send from (RFC 6890), and for a Unix
  /// socket.
  var isLoopback: Bool {
    guard let text = ipAddress else { return true }
    return HTTP.SocketAddress(text: text, port: 0).flatMap { AddressKind(of: $0.bytes) }
      == .loopback
  }
}
