import Foundation

/// A filter that removes known secrets from a text that arrives in pieces.
///
/// The returned pieces, joined, equal ``Secrets/redacted(_:)`` of the whole text. If the end of a
/// piece may be the start of a secret, it is held back until more text arrives.
public struct SecretMask: Sendable {
  private static let sign = Array("[redacted]".utf8)

  private var held: [UInt8] = []

  /// Creates a mask that holds no text back.
  public init() {}

  /// Masks the next piece, and returns the text that is safe to print.
  public mutating func mask(_ piece: String) -> String {
    let secrets = Secrets.all
    guard !secrets.isEmpty else { return piece }
    return pass(held + Array(piece.utf8), secrets) { Self.beginning(at: $0, secrets) }
  }

  /// Ends the text, and returns the part that was held back, masked.
  public mutating func finish() -> String {
    pass(held, Secrets.all) { $0.endIndex }
  }

  /// Replaces the secrets in the given bytes, except in the part that is held back.
  ///
  /// The leftmost secret is replaced first. If several begin at one position, the longest is
  /// replaced.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, preceded by the part that was held back before.
  ///   - secrets: The secrets, the longest first.
  ///   - end: A function that returns the start of the part to hold back.
  /// - Returns: The text that is safe to print.
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
      // Only passed positions are searched again, so that a text full of one secret is read once.
      for index in places.indices {
        guard let place = places[index], place < rest.startIndex else { continue }
        places[index] = Self.place(of: secrets[index], in: rest)
      }
    }
    result += rest[..<limit]
    held = Array(rest[limit...])
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the position at which the given secret first occurs.
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

  /// Returns the start of the longest suffix of the bytes that may be the start of a secret.
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
