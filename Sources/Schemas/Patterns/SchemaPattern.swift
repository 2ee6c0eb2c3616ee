/// A regular expression of a schema.
struct SchemaPattern: Sendable {
  /// As it stands in the schema.
  let source: String
  private let program: PatternProgram

  /// - Throws: what is wrong with it.
  init(_ source: String) throws(PatternError) {
    self.source = source
    var parser = PatternParser(source)
    program = try PatternProgram(parser.tree())
  }

  /// Whether any part of the text is what the expression asks for.
  ///
  /// - Throws: when the work is used up.
  func matches(_ text: String, _ work: inout CheckingWork) throws(SchemaProblem) -> Bool {
    try work.take(text.utf8.count / 8)
    var run = PatternRun(program, on: Array(text.unicodeScalars))
    return try run.finds(anywhere: true, &work)
  }
}
