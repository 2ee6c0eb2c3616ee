/// A regular expression as it was read.
indirect enum PatternTree {
  case nothing
  case one(ScalarSet)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// No `most` means any number.
  case repeated(PatternTree, least: Int, most: Int?)
  case start
  case end
  case boundary(isNegated: Bool)
  case look(PatternTree, isAhead: Bool, isNegated: Bool)
}

/// What is wrong with a regular expression, as the end of a sentence.
struct PatternError: Error {
  var reason: String
}
