import Foundation

/// Takes known secrets out of a text that comes in pieces, wherever the pieces are cut.
///
/// The pieces that leave add up to what ``Secrets/redacted(_:)`` makes of the whole text. The end of a
/// piece that may be the beginning of a secret is held back until more is known.
public struct SecretMask: Sendable {
  private static let sign = Array("[redacted]".utf8)

  private var held: [UInt8] = []

  /// Nothing is held back yet.
  public init() {}

  /// Masks the next piece, and returns what may leave.
  public mutating func mask(_ piece: String) -> String {
    let secrets = Secrets.all
    guard !secrets.isEmpty else { return piece }
    return pass(held + Array(piece.utf8), secrets) { Self.beginning(at: $0, secrets) }
  }

  /// Ends the text, and returns what was held back.
  public mutating func finish() -> String {
    pass(held, Secrets.all) { $0.endIndex }
  }

  /// Replaces the secrets of some bytes up to where they are held back.
  ///
  /// The leftmost secret goes first, and the longest of those that begin at one place.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, with what was held back before.
  ///   - secrets: What to look for, the longest first.
  ///   - end: Where the bytes begin that stay back.
  /// - Returns: What may leave.
  private mutating func pass(
    _ bytes: [UInt8], _ secrets: [[UInt8]], until end: (ArraySlice<UInt8>) -> Int
  ) -> String {
    var result: [UInt8] = []
    var rest = bytes[...]
    var limit = end(rest)
    var places = secrets.map { Self.place(of: $0, in: rest) }
    while let (index, place) = places.enumerated()
      .compactMap({ index, place in place.map { (index, $0) } })
      .min(by: { $0.1 < $1.1 }), place < limit
    {
      result += rest[..<place] + Self.sign
      rest = rest[(place + secrets[index].count)...]
      limit = end(rest)
      // Only what was passed is looked for again: a text full of one secret is read once.
      for index in places.indices {
        guard let place = places[index], place < rest.startIndex else { continue }
        places[index] = Self.place(of: secrets[index], in: rest)
      }
    }
    result += rest[..<limit]
    held = Array(rest[limit...])
    return String(decoding: result, as: UTF8.self)
  }

  /// Where a secret stands first.
  private static func place(of secret: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = secret.first else { return nil }
    return bytes.withUnsafeBytes { haystack in
      guard let base = haystack.baseAddress else { return nil }
      var from = 0
      while haystack.count - from >= secret.count {
        let reach = haystack.count - from - secret.count + 1
        guard let found = memchr(base + from, Int32(first), reach) else { return nil }
        let place = UnsafeRawPointer(found) - base
        if memcmp(base + place, secret, secret.count) == 0 { return bytes.startIndex + place }
        from = place + 1
      }
      return nil
    }
  }

  /// Where the longest end of the bytes begins that is the beginning of a secret, and not all of it.
  private static func beginning(at bytes: ArraySlice<UInt8>, _ secrets: [[UInt8]]) -> Int {
    var first = bytes.endIndex
    for secret in secrets {
      let longest = min(secret.count - 1, bytes.count)
      for length in stride(from: longest, to: bytes.endIndex - first, by: -1)
      where bytes.suffix(length).elementsEqual(secret.prefix(length)) {
        first = bytes.endIndex - length
        break
      }
    }
    return first
  }
}
