import HTTP

/// Which addresses are near enough for HTTP in the clear.
enum LocalNetwork {
  /// Whether an address is loopback, private (RFC 1918, RFC 4193), link-local (RFC 3927, RFC 4291) or
  /// shared (RFC 6598); one of IPv4 inside IPv6 is judged as itself.
  ///
  /// - Parameter bytes: 4 or 16 bytes in network order.
  /// - Returns: Whether it is.
  static func has(_ bytes: [UInt8]) -> Bool {
    switch AddressKind(of: bytes) {
    case .linkLocal, .loopback, .privateUse, .shared: true
    default: false
    }
  }

  /// Refuses what is not this machine: the operator's own token goes nowhere else.
  static let ownMachine: AddressGuard = { address in
    AddressKind(of: address.bytes) == .loopback || OwnAddresses.all.contains(address.bytes)
      ? nil : "its address \(address) is not of this machine"
  }

  /// Refuses addresses that are not near, where a URL is one of plain HTTP.
  static func guardian(of url: String, allowsHTTP: Bool) -> AddressGuard? {
    guard url.hasPrefix("http://"), !allowsHTTP else { return nil }
    return { address in
      has(address.bytes)
        ? nil
        : "its address \(address) is public and HTTP is not encrypted; use https, or"
          + " --allow-http"
    }
  }
}
