import Foundation

/// The addresses of this machine, from getifaddrs(3).
enum OwnAddresses {
  /// All IPv4 and IPv6 addresses in network order, 4 or 16 bytes each.
  static var all: Set<[UInt8]> {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: Set<[UInt8]> = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr else { continue }
      switch Int32(address.pointee.sa_family) {
      case AF_INET:
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { socket in
          _ = withUnsafeBytes(of: socket.pointee.sin_addr) { found.insert(Array($0)) }
        }
      case AF_INET6:
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { socket in
          _ = withUnsafeBytes(of: socket.pointee.sin6_addr) { found.insert(Array($0)) }
        }
      default: break
      }
    }
    return found
  }

  /// The IPv4 addresses that other machines may be able to reach, as text, in a stable order.
  static var reachable: [String] {
    all.filter { $0.count == 4 && $0[0] != 127 }.sorted { $0.lexicographicallyPrecedes($1) }
      .map { $0.map(String.init).joined(separator: ".") }
  }
}
