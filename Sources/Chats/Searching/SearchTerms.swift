import Core
import Foundation

/// The terms of a search: words and phrases.
///
/// A matching text contains all of them.
struct SearchTerms: Sendable {
  /// The folded terms, the longest first.
  ///
  /// Long terms are probably the rarest.
  let needles: [[UInt8]]
  /// The hashes of the words' beginnings, for the segment filters.
  ///
  /// Words of fewer than three bytes have none.
  let beginnings: [UInt64]

  /// Parses the given search.
  ///
  /// A word matches all words that begin with it. Quotes enclose a phrase of whole words.
  ///
  /// - Throws: `BadUsage` if the search has no word.
  init(_ text: String) throws(Failure) {
    var needles: Set<[UInt8]> = []
    let plain = text.replacing("\u{201C}", with: "\"").replacing("\u{201D}", with: "\"")
    let parts = plain.split(separator: "\"", omittingEmptySubsequences: false)
    for (place, part) in parts.enumerated() {
      // Text after an odd quote is a phrase only if another quote ends it.
      if place % 2 == 1, place < parts.count - 1 {
        needles.insert(FoldedText.words(String(part)))
      } else {
        for word in part.split(whereSeparator: \.isWhitespace) {
          needles.insert(FoldedText.words(String(word)).dropLast())
        }
      }
    }
    needles = needles.filter { $0.count > 1 }
    guard !needles.isEmpty else {
      throw Failure(.badUsage, "'\(text)' contains no word to search for", input: text)
    }
    self.needles = needles.sorted {
      $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count
    }
    beginnings = self.needles.flatMap { needle in
      needle.split(separator: FoldedText.space).compactMap { SegmentFilter.longestBeginning($0) }
    }
  }

  /// Returns `true` if the given folded text contains all terms of the search.
  func match(_ text: UnsafeRawBufferPointer) -> Bool {
    needles.allSatisfy { Self.stands($0, in: text) }
  }

  /// Returns `true` if the given unfolded text contains all terms of the search.
  func match(_ text: String) -> Bool {
    FoldedText.words(text).withUnsafeBytes(match)
  }

  /// Returns the index of the first word in `words` at which the longest term occurs.
  func place(in words: [Substring]) -> Int? {
    guard let needle = needles.first else { return nil }
    // The term spans at most this many words.
    let length = needle.split(separator: FoldedText.space).count
    return words.indices.first { place in
      let some = words[place..<min(place + length, words.endIndex)].joined(separator: " ")
      return FoldedText.words(some).withUnsafeBytes { Self.stands(needle, in: $0) }
    }
  }

  /// Returns `true` if the given folded text contains the given term.
  ///
  /// In both, a space precedes each word.
  private static func stands(_ needle: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
    guard let base = text.baseAddress, text.count >= needle.count else { return false }
    return needle.withUnsafeBytes { needle in
      guard let first = needle.baseAddress else { return true }
      var at = base
      let end = base + text.count - needle.count + 1
      while at < end, let found = memchr(at, Int32(FoldedText.space), end - at) {
        at = UnsafeRawPointer(found)
        if memcmp(at, first, needle.count) == 0 { return true }
        at += 1
      }
      return false
    }
  }
}
