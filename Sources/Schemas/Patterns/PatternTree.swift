/// The syntax tree of a regular expression.
indirect enum PatternTree {
  case nothing
  case one(ScalarSet)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// A repetition between `least` and `most` times; without limit if `most` is nil.
  case repeated(PatternTree, least: Int, most: Int?)
  case start
  case end
  case boundary(isNegated: Bool)
  case lookaround(PatternTree, isAhead: Bool, isNegated: Bool)
}

/// The reason why a regular expression is invalid, as words that can end a sentence.
struct PatternError: Error {
  var reason: String
}
