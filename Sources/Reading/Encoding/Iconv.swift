#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open conversion from one encoding to UTF-8 (iconv(3)).
struct Iconv: ~Copyable {
  private let descriptor: iconv_t

  /// Opens a conversion from the given encoding; nil if the C library does not support it.
  init?(from encoding: String) {
    let opened = iconv_open("UTF-8", encoding)
    // iconv_open(3) returns (iconv_t)-1 for an unknown encoding.
    guard let opened, opened != iconv_t(bitPattern: -1) else { return nil }
    descriptor = opened
  }

  deinit {
    // iconv_close(3) fails only for a descriptor that is not open.
    _ = iconv_close(descriptor)
  }

  /// Returns the given bytes converted to UTF-8, with U+FFFD for each invalid byte.
  func convert(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2)
    var chunk = [CChar](repeating: 0, count: 64 * 1024)
    bytes.withUnsafeBytes { raw in
      guard let base = raw.bindMemory(to: CChar.self).baseAddress else { return }
      var next: UnsafeMutablePointer<CChar>? = UnsafeMutablePointer(mutating: base)
      var left = raw.count
      while left > 0 {
        let (written, code) = chunk.withUnsafeMutableBufferPointer { buffer in
          var target = buffer.baseAddress
          var room = buffer.count
          let result = iconv(descriptor, &next, &left, &target, &room)
          return (buffer.count - room, result == -1 ? errno : 0)
        }
        output.append(contentsOf: chunk[..<written].lazy.map(UInt8.init(bitPattern:)))
        if code == 0 { break }
        if code == E2BIG, written > 0 { continue }
        // EILSEQ or EINVAL: one byte is skipped, then the conversion continues.
        output.append(contentsOf: replacement)
        next = next.map { $0 + 1 }
        left -= 1
      }
    }
    return output
  }
}

/// The character U+FFFD in UTF-8.
let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
