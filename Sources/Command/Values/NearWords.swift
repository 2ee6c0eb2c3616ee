import Core

/// The lookup of known words that a mistyped or foreign word may stand for.
enum NearWords {
  /// Groups of synonyms, which contain this project's commands and other programs' names for them.
  private static let alike: [Set<String>] = [
    ["halt", "hold", "pause", "stop", "suspend"],
    ["abort", "cancel", "end", "halt", "kill", "quit", "stop", "terminate"],
    ["continue", "resume", "start", "unpause"],
    ["all", "list", "ls"],
    ["del", "delete", "erase", "forget", "remove", "revoke", "rm", "unset"],
    ["cat", "get", "info", "print", "show", "view"],
    ["add", "create", "new", "put", "save", "set", "store"],
    ["accept", "allow", "approve", "ok", "yes"],
    ["decline", "deny", "no", "refuse", "reject"],
    ["find", "grep", "search"],
    ["move", "mv", "rename"],
  ]
  /// The maximum number of characters of a word that is compared.
  private static let longest = 32

  /// Returns the known words that resemble the given word.
  ///
  /// - Parameters:
  ///   - word: The unknown word.
  ///   - known: The known words.
  /// - Returns: The words that differ by the fewest typing errors. If no word is similar enough,
  ///   the known synonyms are returned. The words are in the order of `known`.
  static func of(_ word: String, among known: [String]) -> [String] {
    let word = word.lowercased()
    guard (2...longest).contains(word.count) else { return [] }
    let distances = known.map { EditDistance.between(word, $0) }
    let limit = min(3, max(1, word.count / 3))
    if let least = distances.min(), least <= limit {
      return zip(known, distances).filter { $0.1 == least }.map(\.0)
    }
    let begun = known.filter { word.count > 2 && $0.hasPrefix(word) }
    guard begun.isEmpty else { return begun }
    let meant = alike.filter { $0.contains(word) }.reduce(into: Set()) { $0.formUnion($1) }
    return known.filter(meant.contains)
  }
}
