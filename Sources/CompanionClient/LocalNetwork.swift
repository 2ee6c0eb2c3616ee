import HTTP

/// The addresses that are near enough for unencrypted HTTP.
enum LocalNetwork {
  /// Returns `true` if an address is loopback, private (RFC 1918, RFC 4193), link-local (RFC 3927,
  /// RFC 4291) or shared (RFC 6598); an IPv4 address in IPv6 counts as itself.
  ///
  /// - Parameter bytes: 4 or 16 bytes in network order.
  /// - Returns: `true` for an address of these kinds.
  static func has(_ bytes: [UInt8]) -> Bool {
    switch AddressKind(of: bytes) {
    case .linkLocal, .loopback, .privateUse, .shared: true
    default: false
    }
  }

  /// A guard that refuses other machines: the operator's token is sent nowhere else.
  static let ownMachine: AddressGuard = { address in
    AddressKind(of: address.bytes) == .loopback || OwnAddresses.all.contains(address.bytes)
      ? nil : "its address \(address) is not of this machine"
  }

  /// Returns a guard that refuses distant addresses if the URL is plain HTTP.
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
