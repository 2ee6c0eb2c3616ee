import Core

/// Ids that are derived from the ids of other programs, so that a second import finds them.
enum DerivedId {
  /// Returns a UUID of version 8 (RFC 9562, 5.8) that is derived from the given words.
  static func make(_ words: String) -> String {
    var digits = Array(SHA256Digest.hexadecimal(Array(words.utf8)).prefix(32))
    digits[12] = "8"
    digits[16] = "8"
    var result = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(digit)
    }
    return result
  }
}
