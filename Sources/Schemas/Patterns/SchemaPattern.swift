/// A regular expression in a schema.
struct SchemaPattern: Sendable {
  /// The expression, as the schema contains it.
  let source: String
  private let program: PatternProgram

  /// Compiles the given expression.
  ///
  /// - Throws: ``PatternError`` if the expression is invalid or too long.
  init(_ source: String) throws(PatternError) {
    self.source = source
    var parser = PatternParser(source)
    program = try PatternProgram(parser.tree())
  }

  /// Returns `true` if any part of the given text matches the expression.
  ///
  /// - Throws: ``SchemaProblem`` if the limit of work is exceeded.
  func matches(_ text: String, _ work: inout CheckingWork) throws(SchemaProblem) -> Bool {
    try work.spend(text.utf8.count / 8)
    var run = PatternRun(program, on: Array(text.unicodeScalars))
    return try run.finds(anywhere: true, &work)
  }
}
