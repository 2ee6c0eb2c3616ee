/// A range of addresses that begin with the same bits.
struct AddressRange: Sendable {
  var prefix: [UInt8]
  /// The number of bits that all addresses of the range share.
  var bits: Int
  var kind: AddressKind

  init(_ prefix: [UInt8], _ bits: Int, _ kind: AddressKind) {
    self.prefix = prefix
    self.bits = bits
    self.kind = kind
  }

  func contains(_ address: [UInt8]) -> Bool {
    var left = bits
    for (wanted, byte) in zip(prefix, address) where left > 0 {
      let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(left))
      guard wanted & mask == byte & mask else { return false }
      left -= 8
    }
    return true
  }
}

extension AddressKind {
  /// The addresses of cloud metadata services.
  ///
  /// The IPv4 addresses belong to AWS and most others, ECS, EKS, Azure, Alibaba and Oracle, in this
  /// order. The IPv6 addresses belong to AWS and Google.
  static let metadataServices: [[UInt8]] = [
    [169, 254, 169, 254], [169, 254, 170, 2], [169, 254, 170, 23], [168, 63, 129, 16],
    [100, 100, 100, 200], [192, 0, 0, 192],
    [0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54],
    [0xFD, 0x20, 0x00, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54],
  ]

  static let ranges4: [AddressRange] = [
    AddressRange([0], 8, .thisNetwork),
    AddressRange([10], 8, .privateUse),
    AddressRange([100, 64], 10, .shared),
    AddressRange([127], 8, .loopback),
    AddressRange([169, 254], 16, .linkLocal),
    AddressRange([172, 16], 12, .privateUse),
    AddressRange([192, 0, 0], 24, .reserved),
    AddressRange([192, 0, 2], 24, .documentation),
    AddressRange([192, 88, 99], 24, .reserved),
    AddressRange([192, 168], 16, .privateUse),
    AddressRange([198, 18], 15, .benchmarks),
    AddressRange([198, 51, 100], 24, .documentation),
    AddressRange([203, 0, 113], 24, .documentation),
    AddressRange([224], 4, .multicast),
    AddressRange([240], 4, .reserved),
  ]

  static let ranges6: [AddressRange] = [
    AddressRange([UInt8](repeating: 0, count: 16), 128, .thisNetwork),
    AddressRange([UInt8](repeating: 0, count: 15) + [1], 128, .loopback),
    AddressRange([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], 48, .translated),
    AddressRange([0x01, 0x00, 0, 0, 0, 0, 0, 0], 64, .sink),
    AddressRange([0x20, 0x01, 0x00], 23, .reserved),
    AddressRange([0x20, 0x01, 0x0D, 0xB8], 32, .documentation),
    AddressRange([0x3F, 0xFF, 0x00], 20, .documentation),
    AddressRange([0x5F, 0x00], 16, .reserved),
    AddressRange([0xFC], 7, .privateUse),
    AddressRange([0xFE, 0x80], 10, .linkLocal),
    AddressRange([0xFE, 0xC0], 10, .siteLocal),
    AddressRange([0xFF], 8, .multicast),
  ]
}
