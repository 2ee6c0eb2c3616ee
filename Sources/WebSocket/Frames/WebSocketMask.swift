/// The masking of the payloads of a client's frames (RFC 6455 section 5.3).
enum WebSocketMask {
  /// Masks or unmasks the given bytes in place.
  ///
  /// - Parameters:
  ///   - key: The four bytes of the key. The first byte is the lowest one.
  ///   - offset: The offset of the bytes in the frame's payload.
  ///   - bytes: The bytes to change.
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
