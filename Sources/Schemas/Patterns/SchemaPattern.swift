/// A regular expression in a schema.
struct SchemaPattern: Sendable {
  /// The expression as written in the schema.
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

  /// Returns `true` if any part of the given text matches.
  ///
  /// - Throws: ``SchemaProblem`` if the work is used up.
  func matches(_ text: String, _ work: inout CheckingWork) throws(SchemaProblem) -> Bool {
    try work.spend(text.utf8.count / 8)
    var run = PatternRun(program, on: Array(text.unicodeScalars))
    return try run.finds(anywhere: true, &work)
  }
}
