extension QRCode {
  /// Returns the code as a PNG file (W3C PNG, third edition) in grey with one bit per pixel.
  ///
  /// - Parameters:
  ///   - scale: The number of pixels on each side of a module.
  ///   - margin: The number of light modules around the code; the standard requires 4.
  /// - Returns: The contents of the file.
  public func png(scale: Int = 8, margin: Int = 4) -> [UInt8] {
    let width = (side + 2 * margin) * scale
    var pixels: [UInt8] = []
    for row in -margin..<side + margin {
      // Each line begins with its filter type: 0, which means no filter.
      var line = [UInt8](repeating: 0, count: 1 + (width + 7) / 8)
      for pixel in 0..<width where !isDark(column: pixel / scale - margin, row: row) {
        line[1 + pixel / 8] |= 0x80 >> UInt8(pixel % 8)
      }
      for _ in 0..<scale { pixels += line }
    }
    let size = PNG.bytes(UInt32(width))
    return PNG.signature + PNG.chunk("IHDR", size + size + [1, 0, 0, 0, 0])
      + PNG.chunk("IDAT", PNG.zlib(pixels)) + PNG.chunk("IEND", [])
  }
}

/// The parts of a PNG file.
private enum PNG {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Returns a chunk with the given name and data: their length, name, data and checksum.
  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bytes(UInt32(data.count)) + body + bytes(check(body))
  }

  /// Returns the given data as a zlib stream (RFC 1950) of uncompressed blocks (RFC 1951, 3.2.4).
  static func zlib(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let count = min(data.count - start, 0xFFFF)
      let isLast = start + count == data.count
      let length = UInt16(count)
      stream += [isLast ? 1 : 0, UInt8(length & 0xFF), UInt8(length >> 8)]
      stream += [UInt8(~length & 0xFF), UInt8(~length >> 8)]
      stream += data[start..<start + count]
      start += count
    } while start < data.count
    return stream + bytes(adler(data))
  }

  /// Returns the given number in big-endian order.
  static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Returns the CRC-32 (ISO 3309) of the given bytes.
  private static func check(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1) * 0xEDB8_8320 }
    }
  }

  /// Returns the Adler-32 (RFC 1950) of the given bytes.
  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    let (low, high) = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let low = (sums.0 + UInt32(byte)) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    return high << 16 | low
  }
}
