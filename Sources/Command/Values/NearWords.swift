/// The search for known words that resemble a mistyped or foreign word.
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
    let distances = known.map { distance(from: word, to: $0) }
    let limit = min(3, max(1, word.count / 3))
    if let least = distances.min(), least <= limit {
      return zip(known, distances).filter { $0.1 == least }.map(\.0)
    }
    let begun = known.filter { word.count > 2 && $0.hasPrefix(word) }
    guard begun.isEmpty else { return begun }
    let meant = alike.filter { $0.contains(word) }.reduce(into: Set()) { $0.formUnion($1) }
    return known.filter(meant.contains)
  }

  /// Returns the number of edits that turn `first` into `second`.
  ///
  /// An edit inserts, removes or replaces a character, or swaps it with the next one. This is the
  /// restricted Damerau–Levenshtein distance.
  static func distance(from first: String, to second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var rows = [Array(0...second.count)]
    for (i, one) in first.enumerated() {
      var row = [i + 1]
      for (j, other) in second.enumerated() {
        var least = min(rows[i][j] + (one == other ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, one == second[j - 1], other == first[i - 1] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[first.count][second.count]
  }
}
