import Core

/// A pattern with the wildcards `*` and `?`, as in OpenSSH's files.
enum NamePattern {
  /// Returns `true` if the whole name matches the given pattern.
  ///
  /// The time is at most proportional to the product of the two lengths.
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

/// The names at the start of a known_hosts line.
///
/// They are patterns separated by commas, or one hashed name.
struct NameList {
  /// The result of looking up a name in the list.
  enum Answer {
    case isNamed, isNotNamed
    /// The list matches, but OpenSSH rejects it because a pattern is too long.
    case isNamedBeyondReach
  }

  /// The shortest pattern length that OpenSSH rejects (match.c).
  static let longestPattern = 1023

  /// The bytes of the list.
  let bytes: ArraySlice<UInt8>

  /// `true` if the list is one hashed name.
  var isHashed: Bool { bytes.first == UInt8(ascii: "|") }

  /// The patterns of the list.
  ///
  /// A negated pattern begins with `!`.
  var patterns: [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
  }

  /// Looks up the given name, which is in lower case.
  ///
  /// A matching `!` pattern excludes the name.
  ///
  /// - Throws: As `HashedName.matches(_:_:)`.
  func answer(_ name: [UInt8]) throws(Failure) -> Answer {
    if isHashed { return try HashedName.matches(name, bytes) ? .isNamed : .isNotNamed }
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
