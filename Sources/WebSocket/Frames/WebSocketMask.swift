/// The masking of what a client sends (RFC 6455 section 5.3).
enum WebSocketMask {
  /// Masks bytes, or takes the mask from them.
  ///
  /// - Parameters:
  ///   - key: The four bytes, the first of them the lowest.
  ///   - offset: Where in the payload the bytes begin.
  ///   - bytes: What is changed.
  static func apply(_ key: UInt32, from offset: Int, to bytes: UnsafeMutableRawBufferPointer) {
    let turn = UInt32(offset & 3) * 8
    let turned = turn == 0 ? key : key >> turn | key << (32 - turn)
    let wide = (UInt64(turned) << 32 | UInt64(turned)).littleEndian
    var index = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      bytes.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < bytes.count {
      bytes[index] ^= UInt8(truncatingIfNeeded: turned >> (UInt32(index & 3) * 8))
      index += 1
    }
  }
}
