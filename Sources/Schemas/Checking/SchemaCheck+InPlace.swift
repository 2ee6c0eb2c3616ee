import Core

extension SchemaCheck {
  /// Checks the given keyword, whose subschemas apply to the same value.
  mutating func checkInPlace(
    _ value: JSONValue, _ one: SchemaKeyword, _ seen: inout SeenParts
  ) throws(SchemaProblem) -> SchemaProblem? {
    switch one {
    case .allOf(let schemas):
      for schema in schemas {
        if let problem = try check(value, schema, for: "allOf", &seen) { return problem }
      }
      return nil
    case .anyOf(let schemas): return try checkAny(value, schemas, &seen)
    case .oneOf(let schemas): return try checkOne(value, schemas, &seen)
    case .not(let schema):
      var ignored = SeenParts()
      guard try check(value, schema, for: "not", &ignored) == nil else { return nil }
      return problem("not", "matches the schema of 'not'")
    case .condition(let condition, let then, let otherwise):
      let isTrue = try check(value, condition, for: "if", &seen) == nil
      guard let schema = isTrue ? then : otherwise else { return nil }
      return try check(value, schema, for: isTrue ? "then" : "else", &seen)
    case .dependentSchemas(let rows):
      guard case .object(let members) = value else { return nil }
      for (name, schema) in rows where members.exactly(name) != nil {
        if let problem = try check(value, schema, for: "dependentSchemas", &seen) {
          return problem
        }
      }
      return nil
    default: return nil
    }
  }

  private mutating func checkAny(
    _ value: JSONValue, _ schemas: [Int], _ seen: inout SeenParts
  ) throws(SchemaProblem) -> SchemaProblem? {
    var problems: [SchemaProblem] = []
    var fits = false
    for schema in schemas {
      if let problem = try check(value, schema, for: "anyOf", &seen) {
        problems.append(problem)
        continue
      }
      fits = true
      if !table.asksForUnevaluated { break }
    }
    return fits ? nil : try unfit("anyOf", problems)
  }

  private mutating func checkOne(
    _ value: JSONValue, _ schemas: [Int], _ seen: inout SeenParts
  ) throws(SchemaProblem) -> SchemaProblem? {
    var problems: [SchemaProblem] = []
    var fitting: Int?
    for (index, schema) in schemas.enumerated() {
      if let problem = try check(value, schema, for: "oneOf", &seen) {
        problems.append(problem)
      } else if let fitting {
        return problem(
          "oneOf", "matches both schemas \(fitting) and \(index) of 'oneOf'")
      } else {
        fitting = index
      }
    }
    return fitting == nil ? try unfit("oneOf", problems) : nil
  }

  /// Returns the problem that no subschema matches, with the reasons of the first few subschemas.
  private mutating func unfit(
    _ keyword: String, _ problems: [SchemaProblem]
  ) throws(SchemaProblem) -> SchemaProblem {
    // This is the work of composing the sentence.
    try work.spend(300)
    let own = pointer
    let reasons = problems.prefix(3).map { problem in
      var problem = problem
      problem.pointer = String(problem.pointer.dropFirst(own.count))
      return problem.explanation
    }
    let shown = reasons.joined(separator: "; or ") + (problems.count > 3 ? "; …" : "")
    return problem(
      keyword,
      "matches no schema of '\(keyword)': \(shown.count > 400 ? shown.prefix(399) + "…" : shown)")
  }
}
