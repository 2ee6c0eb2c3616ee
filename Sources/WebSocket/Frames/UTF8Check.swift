/// An incremental check for valid UTF-8 (RFC 3629).
///
/// It fails at the first invalid byte.
struct UTF8Check {
  /// The number of bytes that the current character still lacks.
  private var missing = 0
  /// The valid range of the next byte.
  ///
  /// For the second byte of a character, the range excludes overlong forms and surrogates.
  private var next: ClosedRange<UInt8> = 0x80...0xBF

  /// `true` unless the input so far ends inside a character.
  var isComplete: Bool { missing == 0 }

  /// Checks the given bytes, which continue the bytes of earlier calls.
  ///
  /// - Returns: `true` if all bytes are valid so far.
  mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if missing == 0 {
        index = Self.afterASCII(bytes, from: index)
        guard index < bytes.count else { return true }
        guard begin(bytes[index]) else { return false }
      } else {
        guard next.contains(bytes[index]) else { return false }
        missing -= 1
        next = 0x80...0xBF
      }
      index += 1
    }
    return true
  }

  /// Processes the first byte of a multibyte character; returns `false` if it is invalid.
  private mutating func begin(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xC2...0xDF: (missing, next) = (1, 0x80...0xBF)
    case 0xE0: (missing, next) = (2, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE, 0xEF: (missing, next) = (2, 0x80...0xBF)
    case 0xED: (missing, next) = (2, 0x80...0x9F)
    case 0xF0: (missing, next) = (3, 0x90...0xBF)
    case 0xF1...0xF3: (missing, next) = (3, 0x80...0xBF)
    case 0xF4: (missing, next) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }

  /// Returns the index after the ASCII bytes that begin at `start`.
  ///
  /// Eight bytes are tested at a time.
  private static func afterASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= bytes.count,
      bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
  }
}
