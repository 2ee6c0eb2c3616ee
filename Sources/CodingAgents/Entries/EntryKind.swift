import Core

/// The names under which unknown kinds of entries are counted.
enum EntryKind {
  /// Returns the name of the kind with the given words, cut and without hidden characters.
  static func name(_ words: String...) -> String {
    String(Visible.line(words.joined(separator: "/")).prefix(60))
  }
}
