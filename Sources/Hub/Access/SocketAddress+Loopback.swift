import HTTP
import NIOCore

extension NIOCore.SocketAddress {
  /// The address without its port and zone.
  ///
  /// An IPv4-mapped IPv6 address is returned as IPv4.
  var plainAddress: String? {
    ipAddress.map { text in
      String((text.hasPrefix("::ffff:") ? text.dropFirst(7) : text[...]).prefix { $0 != "%" })
    }
  }

  /// The bytes of the address in network order, 4 or 16; nil for a Unix socket.
  var bytes: [UInt8]? {
    ipAddress.flatMap { HTTP.SocketAddress(text: $0, port: 0)?.bytes }
  }

  /// `true` if the address is a loopback address (RFC 6890) or a Unix socket.
  var isLoopback: Bool {
    guard ipAddress != nil else { return true }
    return bytes.flatMap { AddressKind(of: $0) } == .loopback
  }
}
