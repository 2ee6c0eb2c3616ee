public import Core

/// Tests say the word that stands in records.
extension FailureKind: ExpressibleByStringLiteral {
  /// The kind of a word.
  public init(stringLiteral word: String) { self.init(rawValue: word) }
}
