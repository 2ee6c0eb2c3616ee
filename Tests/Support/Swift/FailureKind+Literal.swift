public import Core

/// Kinds as literals: tests use the word that records contain.
extension FailureKind: ExpressibleByStringLiteral {
  /// Creates the kind of a word.
  public init(stringLiteral word: String) { self.init(rawValue: word) }
}
