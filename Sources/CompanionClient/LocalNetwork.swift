import HTTP

/// The addresses to which unencrypted HTTP is allowed.
enum LocalNetwork {
  /// Returns `true` if the given address belongs to a local network.
  ///
  /// Such an address is loopback, private (RFC 1918, RFC 4193), link-local (RFC 3927, RFC 4291) or
  /// shared (RFC 6598). An IPv4-mapped IPv6 address is judged as IPv4.
  ///
  /// - Parameter bytes: The address: 4 or 16 bytes in network order.
  /// - Returns: `true` for an address of these kinds.
  static func has(_ bytes: [UInt8]) -> Bool {
    switch AddressKind(of: bytes) {
    case .linkLocal, .loopback, .privateUse, .shared: true
    default: false
    }
  }

  /// A guard that refuses the addresses of other machines.
  ///
  /// With it, the operator's token is sent only to this machine.
  static let ownMachine: AddressGuard = { address in
    AddressKind(of: address.bytes) == .loopback || OwnAddresses.all.contains(address.bytes)
      ? nil : "its address \(address) belongs to another machine"
  }

  /// Returns a guard that refuses addresses outside the local network.
  ///
  /// It is nil if the URL is https or if `allowsHTTP` is `true`.
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
