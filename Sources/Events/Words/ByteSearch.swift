import Foundation

/// A search for a byte sequence.
///
/// It uses memchr(3) to find the byte of the sequence that is rarest in JSON.
public struct ByteSearch: Sendable {
  private let wanted: [UInt8]
  private let rarest: Int

  /// Creates a search for the given bytes.
  public init(_ wanted: [UInt8]) {
    self.wanted = wanted
    rarest = wanted.indices.max { Self.rarity(wanted[$0]) < Self.rarity(wanted[$1]) } ?? 0
  }

  /// Returns `true` if the sequence occurs in `bytes`.
  ///
  /// An empty sequence always occurs.
  public func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !wanted.isEmpty else { return true }
    guard let base = bytes.baseAddress, bytes.count >= wanted.count else { return false }
    return wanted.withUnsafeBufferPointer { wanted in
      guard let first = wanted.baseAddress else { return true }
      var at = base + rarest
      let end = base + bytes.count - (wanted.count - rarest - 1)
      while at < end, let found = memchr(at, Int32(wanted[rarest]), end - at) {
        at = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
        if memcmp(at - rarest, first, wanted.count) == 0 { return true }
        at += 1
      }
      return false
    }
  }

  /// Returns a number that is higher the rarer the given byte is in JSON.
  private static func rarity(_ byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: " "): 0
    case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "n"),
      UInt8(ascii: "o"), UInt8(ascii: "r"), UInt8(ascii: "s"), UInt8(ascii: "t"):
      1
    case 0x30...0x39: 2
    case 0x61...0x7A: 3
    default: 4
    }
  }
}
