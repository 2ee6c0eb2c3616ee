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
    return pass(held + Array(piece.utf8), secrets, until: secrets.beginning)
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
  ///   - secrets: The secrets.
  ///   - end: A function that returns the start of the part to hold back.
  /// - Returns: The text that is safe to print.
  private mutating func pass(
    _ bytes: [UInt8], _ secrets: SecretSet, until end: (ArraySlice<UInt8>) -> Int
  ) -> String {
    var result: [UInt8] = []
    var rest = bytes[...]
    var limit = end(rest)
    while let (place, count) = secrets.first(in: rest), place < limit {
      result += rest[..<place] + Self.sign
      rest = rest[(place + count)...]
      limit = end(rest)
    }
    result += rest[..<limit]
    held = Array(rest[limit...])
    return String(decoding: result, as: UTF8.self)
  }
}
