import HTTP
import NIOCore

extension NIOCore.SocketAddress {
  /// The address without its port; one of IPv4 is written as such, and IPv6 without its zone.
  var plainAddress: String? {
    ipAddress.map { text in
      String((text.hasPrefix("::ffff:") ? text.dropFirst(7) : text[...]).prefix { $0 != "%" })
    }
  }

  /// The address in network order, 4 bytes or 16; nil for a Unix socket.
  var bytes: [UInt8]? {
    ipAddress.flatMap { HTTP.SocketAddress(text: $0, port: 0)?.bytes }
  }

  /// `true` for an address of this machine that no other can send from (RFC 6890), and for a Unix
  /// socket.
  var isLoopback: Bool {
    guard ipAddress != nil else { return true }
    return bytes.flatMap { AddressKind(of: $0) } == .loopback
  }
}
