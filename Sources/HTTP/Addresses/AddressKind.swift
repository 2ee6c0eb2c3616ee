/// The kind of an address that is not public, according to IANA's special-purpose registries.
///
/// See RFC 6890.
public enum AddressKind: Sendable {
  case benchmarks, documentation, linkLocal, loopback, metadata, multicast, privateUse, reserved
  case shared, sink, siteLocal, thisNetwork, translated, unknown

  /// The kind in words that can end a sentence.
  var words: String {
    switch self {
    case .benchmarks: "for benchmarks"
    case .documentation: "for documentation"
    case .linkLocal: "link-local"
    case .loopback: "loopback"
    case .metadata: "a cloud metadata service"
    case .multicast: "multicast"
    case .privateUse, .siteLocal, .translated: "private"
    case .reserved: "reserved"
    case .shared: "shared by a carrier"
    case .sink: "a sink"
    case .thisNetwork: "this network"
    case .unknown: "of no known family"
    }
  }

  /// Creates the kind of the given address.
  ///
  /// It is nil if the address is public or has another number of bytes.
  ///
  /// - Parameter bytes: The address, 4 or 16 bytes in network order. An IPv4 address mapped to IPv6
  ///   counts as IPv4.
  public init?(of bytes: [UInt8]) {
    let plain = bytes.count == 16 && bytes.starts(with: Self.mapped) ? Array(bytes[12...]) : bytes
    let ranges = plain.count == 4 ? Self.ranges4 : plain.count == 16 ? Self.ranges6 : []
    guard let range = ranges.first(where: { $0.contains(plain) }) else { return nil }
    self = range.kind
  }

  /// Creates the kind of the given address and of the IPv4 addresses that it leads to.
  ///
  /// An IPv6 address leads to an IPv4 address by a tunnel or a translation. If one of the addresses
  /// is a metadata service, that kind takes precedence.
  init?(reachedBy bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else {
      self = .unknown
      return
    }
    let inner = bytes.count == 16 ? Self.embedded(in: bytes) : []
    let kinds = inner.compactMap(AddressKind.init(reachedBy:))
    if Self.metadataServices.contains(bytes) || kinds.contains(.metadata) {
      self = .metadata
    } else {
      guard let kind = kinds.first ?? AddressKind(of: bytes) else { return nil }
      self = kind
    }
  }

  /// Returns the IPv4 addresses that the given IPv6 address leads to.
  private static func embedded(in bytes: [UInt8]) -> [[UInt8]] {
    let last = Array(bytes[12...])
    let isISATAP = bytes[8] & 0xFD == 0 && Array(bytes[9..<12]) == [0x00, 0x5E, 0xFE]
    var found: [[UInt8]] = isISATAP ? [last] : []
    switch bytes {
    // ::1 and :: are not IPv4-compatible addresses; they are in the table.
    case _ where bytes.dropLast(2).allSatisfy { $0 == 0 } && bytes[14] == 0 && bytes[15] < 2:
      break
    case _ where wrappers96.contains { bytes.starts(with: $0) }: found.append(last)
    // 6to4, RFC 3056.
    case _ where bytes.starts(with: [0x20, 0x02]): found.append(Array(bytes[2..<6]))
    // Local-use NAT64, RFC 8215: RFC 6052 defines where the IPv4 address is for a /48 and a /96.
    case _ where bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01]):
      found += [last, [bytes[6], bytes[7], bytes[9], bytes[10]]]
    // Teredo, RFC 4380: the server, and the client with all bits inverted.
    case _ where bytes.starts(with: [0x20, 0x01, 0x00, 0x00]):
      found += [Array(bytes[4..<8]), last.map { ~$0 }]
    default: break
    }
    return found
  }

  /// The 96-bit prefixes of IPv6 addresses whose last 32 bits are an IPv4 address.
  ///
  /// They are compatible and mapped addresses (RFC 4291), translated ones (RFC 2765) and NAT64 (RFC
  /// 6052).
  private static let wrappers96: [[UInt8]] = [
    [UInt8](repeating: 0, count: 12),
    mapped,
    [UInt8](repeating: 0, count: 8) + [0xFF, 0xFF, 0, 0],
    [0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8),
  ]

  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}
