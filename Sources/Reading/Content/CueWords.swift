/// A table of words in groups that have a meaning on pages.
///
/// Each group has one bit in a mask.
struct CueWords: Sendable {
  private let groups: NameTable<UInt32>

  /// Creates a table of the given groups.
  ///
  /// A group's index is the number of its bit.
  init(_ lists: [String]) {
    var entries: [(key: UInt64, value: UInt32)] = []
    for (bit, list) in lists.enumerated() {
      for word in list.utf8.split(separator: 0x20) {
        entries.append((NameHash.of(word), 1 << UInt32(bit)))
      }
    }
    groups = NameTable(entries) { $0 | $1 }
  }

  /// The groups of the word with the given hash.
  ///
  /// The word must be in lower case.
  @inline(__always)
  subscript(hash: UInt64) -> UInt32 { groups[hash] ?? 0 }

  /// Returns the groups of the words in the given class, id or role.
  ///
  /// A capital, a hyphen or an underscore begins a new word, as in `postBody`.
  func cues(inName bytes: ArraySlice<UInt8>) -> UInt32 {
    var cues: UInt32 = 0
    var hash = NameHash()
    var length = 0
    var wasSmall = false
    for byte in bytes {
      let isCapital = byte &- 0x41 < 26
      if length > 0, !isLetter(byte) || isCapital && wasSmall {
        if length > 1 { cues |= self[hash.value] }
        hash = NameHash()
        length = 0
      }
      if isLetter(byte) {
        hash.add(byte | 0x20)
        length += 1
      }
      wasSmall = isLetter(byte) && !isCapital
    }
    return length > 1 ? cues | self[hash.value] : cues
  }
}
