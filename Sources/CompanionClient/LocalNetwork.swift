import HTTP

/// Which addresses are near enough for HTTP in the clear.
enum LocalNetwork {
  /// Whether an address is loopback, private (RFC 1918, RFC 4193), link-local (RFC 3927, RFC 4291) or
  /// shared (RFC 6598); one of IPv4 inside IPv6 is judged as itself.
  ///
  /// - Parameter bytes: 4 or 16 bytes in network order.
  /// - Returns: Whether it is.
  static func has(_ bytes: [UInt8]) -> Bool {
    if bytes.count == 16, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10...11] == [0xFF, 0xFF] {
      return has(Array(bytes.suffix(4)))
    }
    switch bytes.count {
    case 4:
      return switch (bytes[0], bytes[1]) {
      case (127, _), (10, _), (192, 168), (169, 254): true
      case (172, 16...31), (100, 64...127): true
      default: false
      }
    case 16:
      let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
      let isLinkLocal = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
      return isLoopback || isLinkLocal || bytes[0] & 0xFE == 0xFC
    default: return false
    }
  }

  /// Refuses what is not this machine: the operator's own token goes nowhere else.
  static let ownMachine: AddressGuard = { address in
    isLoopback(address.bytes) || OwnAddresses.all.contains(address.bytes)
      ? nil : "its address \(address) is not of this machine, where its operator is known"
  }

  private static func isLoopback(_ bytes: [UInt8]) -> Bool {
    bytes.count == 4
      ? bytes[0] == 127
      : bytes == [UInt8](repeating: 0, count: 15) + [1]
        || bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127])
  }

  /// Refuses addresses that are not near, where a URL is one of plain HTTP.
  static func guardian(of url: String, allowsHTTP: Bool) -> AddressGuard? {
    guard url.hasPrefix("http://"), !allowsHTTP else { return nil }
    return { address in
      has(address.bytes)
        ? nil
        : "its address \(address) is a public one, and HTTP hides nothing; --allow-http"
          + " sends it all the same"
    }
  }
}
