/// Secrets of at least six bytes, which are found in a text in a time that does not depend on their
/// number.
struct SecretSet: Sendable {
  /// The bits of the first two bytes of all secrets: most positions of a text end here.
  private var pairs = [UInt64](repeating: 0, count: 1024)
  /// The secrets by their first four bytes, the longest first.
  private var secrets: [UInt32: [[UInt8]]] = [:]
  /// The first byte, the first two and the first three bytes of all secrets, below a 1.
  private var starts: Set<UInt32> = []
  private var longest = 0

  /// `true` if there is no secret.
  var isEmpty: Bool { longest == 0 }

  /// Adds the given secret.
  mutating func insert(_ secret: [UInt8]) {
    let head = Self.head(secret[..<4])
    var known = secrets[head] ?? []
    guard !known.contains(secret) else { return }
    known.insert(secret, at: known.firstIndex { $0.count < secret.count } ?? known.endIndex)
    secrets[head] = known
    let pair = Int(secret[0]) << 8 | Int(secret[1])
    pairs[pair >> 6] |= 1 << UInt64(pair & 63)
    for count in 1...3 { starts.insert(Self.start(secret[..<count])) }
    longest = max(longest, secret.count)
  }

  /// Returns the first place at which a secret begins, and the length of the longest secret there.
  func first(in bytes: ArraySlice<UInt8>) -> (place: Int, count: Int)? {
    bytes.withUnsafeBufferPointer { text in
      guard text.count >= 4 else { return nil }
      for offset in 0...(text.count - 4) where mayBegin(text[offset], text[offset + 1]) {
        let place = bytes.startIndex + offset
        let known = secrets[Self.head(bytes[place..<place + 4])] ?? []
        if let found = known.first(where: bytes[place...].starts) { return (place, found.count) }
      }
      return nil
    }
  }

  /// Returns the start of the longest end of the text that may be the start of a secret.
  func beginning(in bytes: ArraySlice<UInt8>) -> Int {
    let first = max(bytes.startIndex, bytes.endIndex - max(0, longest - 1))
    return (first..<bytes.endIndex).first { place in
      let rest = bytes[place...]
      guard rest.count >= 4 else { return starts.contains(Self.start(rest)) }
      guard mayBegin(rest[place], rest[place + 1]) else { return false }
      let known = secrets[Self.head(rest.prefix(4))] ?? []
      return known.contains { $0.count > rest.count && $0.starts(with: rest) }
    } ?? bytes.endIndex
  }

  private func mayBegin(_ first: UInt8, _ second: UInt8) -> Bool {
    let pair = Int(first) << 8 | Int(second)
    return pairs[pair >> 6] & 1 << UInt64(pair & 63) != 0
  }

  private static func head(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func start(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(1) { $0 << 8 | UInt32($1) }
  }
}
