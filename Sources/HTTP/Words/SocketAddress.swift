import Foundation

/// A function that returns the reason to refuse a connection to the given address; nil to allow it.
///
/// It is called on the client's network thread for each address of a name, so it must not block.
/// The reason is shown to the user. It is in lower case and has no full stop.
public typealias AddressGuard = @Sendable (SocketAddress) -> String?

/// An IPv4 or IPv6 address with a port.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
  /// The family of an address.
  public enum Family: Sendable, Hashable {
    case ipv4, ipv6
  }

  /// The address family.
  public var family: Family
  /// The address in network order, 4 bytes for IPv4 or 16 bytes for IPv6.
  public var bytes: [UInt8]
  /// The port in host order.
  public var port: UInt16

  /// Creates an address from 4 or 16 bytes in network order; nil for any other number of bytes.
  public init?(bytes: [UInt8], port: UInt16) {
    switch bytes.count {
    case 4: family = .ipv4
    case 16: family = .ipv6
    default: return nil
    }
    self.bytes = bytes
    self.port = port
  }

  /// Creates an address from a `sockaddr` of `length` bytes.
  ///
  /// It is nil if its family is neither AF_INET nor AF_INET6.
  init?(sockaddr: UnsafeRawPointer, length: Int) {
    guard length >= MemoryLayout<sockaddr>.size else { return nil }
    switch Int32(sockaddr.loadUnaligned(as: Foundation.sockaddr.self).sa_family) {
    case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
      let address = sockaddr.loadUnaligned(as: sockaddr_in.self)
      self.init(
        bytes: withUnsafeBytes(of: address.sin_addr) { [UInt8]($0) },
        port: UInt16(bigEndian: address.sin_port))
    case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
      let address = sockaddr.loadUnaligned(as: sockaddr_in6.self)
      self.init(
        bytes: withUnsafeBytes(of: address.sin6_addr) { [UInt8]($0) },
        port: UInt16(bigEndian: address.sin6_port))
    default:
      return nil
    }
  }

  /// Creates an address from the given numeric text (inet_pton(3)).
  ///
  /// A scope at the end, such as `%eth0`, is ignored. The result is nil if the text is not an
  /// address.
  public init?(text: String, port: UInt16) {
    let plain = String(text.prefix { $0 != "%" })
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, plain, &four) == 1 {
      self.init(bytes: withUnsafeBytes(of: four) { [UInt8]($0) }, port: port)
    } else if inet_pton(AF_INET6, plain, &six) == 1 {
      self.init(bytes: withUnsafeBytes(of: six) { [UInt8]($0) }, port: port)
    } else {
      return nil
    }
  }

  /// The address in the form of inet_ntop(3), with the port, such as `127.0.0.1:80` or `[::1]:80`.
  public var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let kind = family == .ipv4 ? AF_INET : AF_INET6
    // The count is checked because `bytes` is a public variable, and inet_ntop(3) reads a fixed
    // number of bytes.
    guard bytes.count == (family == .ipv4 ? 4 : 16),
      inet_ntop(kind, bytes, &text, socklen_t(text.count)) != nil
    else { return "?:\(port)" }
    let plain = String(
      decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return family == .ipv4 ? "\(plain):\(port)" : "[\(plain)]:\(port)"
  }
}
