/// The addresses that something may be fetched from where somebody else chose its URL.
///
/// Judged is the address a connection is about to be made to, never the text of a URL: of 32
/// spellings of loopback, 22 reach it. The ranges are IANA's special-purpose registries (RFC 6890);
/// an IPv4 address inside an IPv6 one is judged as itself.
public struct AddressPolicy: Sendable, Hashable {
  /// Whether addresses that are not public may be fetched from; those of cloud metadata services
  /// stay refused.
  public var allowPrivate: Bool
  /// The option that allows them, for the reason; nil if there is none.
  public var option: String?

  /// Creates a policy that refuses what is not public, unless told otherwise.
  public init(allowPrivate: Bool = false, option: String? = nil) {
    self.allowPrivate = allowPrivate
    self.option = option
  }

  /// Why a connection must not be made, or nil to allow it.
  ///
  /// - Parameter address: 4 or 16 bytes in network order, and a port.
  /// - Returns: The reason, as a clause: `its address 127.0.0.1:80 is loopback`.
  public func refusal(_ address: SocketAddress) -> String? {
    if BlockedPorts.contains(Int(address.port)) { return "port \(address.port) is blocked" }
    guard let kind = Self.kind(of: address.bytes) else { return nil }
    guard kind == Self.metadata || !allowPrivate else { return nil }
    return "its address \(address) is \(kind)"
      + (kind == Self.metadata ? "" : option.map { ", which takes \($0)" } ?? "")
  }

  /// The policy in the form that the HTTP client asks in.
  public var `guard`: AddressGuard {
    { address in refusal(address) }
  }

  private static let metadata = "a cloud metadata service"

  /// What kind of address that is not public this is, or nil for a public one.
  private static func kind(of bytes: [UInt8]) -> String? {
    switch bytes.count {
    case 4:
      if metadata4.contains(bytes) { return metadata }
      return ranges4.first { $0.contains(bytes) }?.kind
    case 16:
      if metadata6.contains(bytes) { return metadata }
      let inner = embedded(in: bytes).compactMap { kind(of: $0) }
      if inner.contains(metadata) { return metadata }
      return inner.first ?? ranges6.first { $0.contains(bytes) }?.kind
    default: return "of no known family"
    }
  }

  /// The IPv4 addresses that an IPv6 address leads to.
  private static func embedded(in bytes: [UInt8]) -> [[UInt8]] {
    let last = Array(bytes[12...])
    let isISATAP = bytes[8] & 0xFD == 0 && Array(bytes[9..<12]) == [0x00, 0x5E, 0xFE]
    var found: [[UInt8]] = isISATAP ? [last] : []
    switch bytes {
    // ::1 and :: are no compatible addresses; the table has them.
    case _ where bytes.dropLast(2).allSatisfy { $0 == 0 } && bytes[14] == 0 && bytes[15] < 2:
      break
    case _ where wrappers96.contains { bytes.starts(with: $0) }: found.append(last)
    // 6to4, RFC 3056.
    case _ where bytes.starts(with: [0x20, 0x02]): found.append(Array(bytes[2..<6]))
    // Local-use NAT64, RFC 8215: the address stands where RFC 6052 puts it for a /48 or a /96.
    case _ where bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01]):
      found += [last, [bytes[6], bytes[7], bytes[9], bytes[10]]]
    // Teredo, RFC 4380: the server, and the client with every bit turned over.
    case _ where bytes.starts(with: [0x20, 0x01, 0x00, 0x00]):
      found += [Array(bytes[4..<8]), last.map { ~$0 }]
    default: break
    }
    return found
  }

  /// Prefixes of 96 bits before an IPv4 address: compatible and mapped (RFC 4291), translated
  /// (RFC 2765), NAT64 (RFC 6052).
  private static let wrappers96: [[UInt8]] = [
    [UInt8](repeating: 0, count: 12),
    [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF],
    [UInt8](repeating: 0, count: 8) + [0xFF, 0xFF, 0, 0],
    [0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8),
  ]
}
