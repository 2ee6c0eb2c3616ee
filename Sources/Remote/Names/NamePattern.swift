import Core

/// A pattern with the wildcards `*` and `?`, as in OpenSSH's files.
enum NamePattern {
  /// Returns `true` if the whole name matches the pattern.
  ///
  /// The time is at most proportional to the product of their lengths.
  static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (place, rest) = (0, 0)
    // The last star in the pattern, and the end of the text that it currently matches.
    var star: (pattern: Int, name: Int)?
    while place < name.count {
      let wanted = rest < pattern.count ? pattern[rest] : nil
      if wanted == UInt8(ascii: "*") {
        star = (rest, place)
        rest += 1
      } else if wanted == UInt8(ascii: "?") || wanted == name[place] {
        place += 1
        rest += 1
      } else if let last = star {
        star = (last.pattern, last.name + 1)
        (place, rest) = (last.name + 1, last.pattern + 1)
      } else {
        return false
      }
    }
    return pattern[rest...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// The names at the start of a known_hosts line: patterns separated by commas, or one hash.
struct NameList {
  /// The result of a look-up in the list.
  enum Answer {
    case isNamed, isNotNamed
    /// A match in a list that OpenSSH rejects, because a pattern is too long.
    case isNamedBeyondReach
  }

  /// The length from which OpenSSH rejects a pattern (match.c).
  static let longestPattern = 1023

  /// The bytes of the list.
  let bytes: ArraySlice<UInt8>

  /// `true` if the list is one hashed name: `|1|salt|hash`.
  var isHashed: Bool { bytes.first == UInt8(ascii: "|") }

  /// The patterns; negated patterns start with `!`.
  var patterns: [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
  }

  /// Looks up the given lower-case name; a matching `!` pattern excludes it.
  func answer(_ name: [UInt8]) -> Answer {
    if isHashed { return HashedName.matches(name, bytes) ? .isNamed : .isNotNamed }
    var answer = Answer.isNotNamed
    var isBeyondReach = false
    for pattern in patterns {
      let isNegated = pattern.first == UInt8(ascii: "!")
      let wanted = isNegated ? pattern.dropFirst() : pattern
      if wanted.count >= Self.longestPattern { isBeyondReach = true }
      guard NamePattern.matches(name, wanted.map(\.lowercased)) else { continue }
      if isNegated { return .isNotNamed }
      answer = .isNamed
    }
    return answer == .isNamed && isBeyondReach ? .isNamedBeyondReach : answer
  }
}
