import HTTP
import NIOCore

extension NIOCore.SocketAddress {
  /// The address without a port, with mapped IPv4 addresses as IPv4, and IPv6 without a zone.
  var plainAddress: String? {
    ipAddress.map { text in
      String((text.hasPrefix("::ffff:") ? text.dropFirst(7) : text[...]).prefix { $0 != "%" })
    }
  }

  /// The address in network order, 4 or 16 bytes; nil for a Unix socket.
  var bytes: [UInt8]? {
    ipAddress.flatMap { HTTP.SocketAddress(text: $0, port: 0)?.bytes }
  }

  /// `true` for an address that no other machine can send from (RFC 6890), and for a Unix socket.
  var isLoopback: Bool {
    guard ipAddress != nil else { return true }
    return bytes.flatMap { AddressKind(of: $0) } == .loopback
  }
}
