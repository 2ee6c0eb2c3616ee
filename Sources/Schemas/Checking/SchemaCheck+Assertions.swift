import Core

extension SchemaCheck {
  /// Checks the given keyword, which constrains the value itself.
  mutating func checkAssertion(
    _ value: JSONValue, _ one: SchemaKeyword
  ) throws(SchemaProblem) -> SchemaProblem? {
    switch one {
    case .type(let types):
      if types.contains(where: { $0.has(value) }) { return nil }
      let names = types.map(\.rawValue).joined(separator: " or ")
      let isFraction = types.contains(.integer) && JSONType.number.has(value)
      return problem(
        "type",
        "must be of type \(names), but is \(isFraction ? "not a whole number" : JSONType.name(of: value))"
      )
    case .enumeration(let allowed, let shown):
      return allowed.contains(try canonical(value))
        ? nil : problem("enum", "must be one of \(shown)")
    case .constant(let constant, let shown):
      return try canonical(value) == constant ? nil : problem("const", "must be \(shown)")
    case .bound(let bound, let limit):
      guard let number = ExactNumber(value), !bound.allows(number, limit) else { return nil }
      return problem(bound.rawValue, "must be \(bound.words) \(limit)")
    case .multipleOf(let factor):
      guard let number = ExactNumber(value), !number.isMultiple(of: factor) else { return nil }
      return problem("multipleOf", "must be a multiple of \(factor)")
    case .count(let bound, let limit):
      guard let count = bound.count(of: value), !bound.allows(count, limit) else { return nil }
      return problem(bound.rawValue, "must have \(bound.words(limit)), but has \(count)")
    case .pattern(let pattern):
      guard case .string(let text) = value, try !matches(pattern, text) else { return nil }
      return problem("pattern", "does not match the pattern \(Shown.name(pattern.source))")
    case .uniqueItems: return try checkUnique(value)
    default: return checkRequired(value, one)
    }
  }

  private func checkRequired(_ value: JSONValue, _ one: SchemaKeyword) -> SchemaProblem? {
    guard case .object(let members) = value else { return nil }
    switch one {
    case .required(let names):
      guard let name = names.first(where: { members.exactly($0) == nil }) else { return nil }
      return problem("required", "lacks the member \(Shown.name(name))")
    case .dependentRequired(let rows):
      for (name, others) in rows where members.exactly(name) != nil {
        guard let other = others.first(where: { members.exactly($0) == nil }) else { continue }
        return problem(
          "dependentRequired",
          "lacks the member \(Shown.name(other)), which \(Shown.name(name)) requires")
      }
      return nil
    default: return nil
    }
  }

  private mutating func checkUnique(_ value: JSONValue) throws(SchemaProblem) -> SchemaProblem? {
    guard case .array(let items) = value else { return nil }
    var known: [CanonicalJSON: Int] = [:]
    for (index, item) in items.enumerated() {
      if let other = known.updateValue(index, forKey: try canonical(item)) {
        return problem("uniqueItems", "has the same item at \(other) and at \(index)")
      }
    }
    return nil
  }

  private mutating func canonical(_ value: JSONValue) throws(SchemaProblem) -> CanonicalJSON {
    let text = CanonicalJSON(value)
    try work.spend(text.bytes.count / 4)
    return text
  }

  /// Returns `true` if the given text matches the pattern.
  ///
  /// The matching uses up work.
  mutating func matches(
    _ pattern: SchemaPattern, _ text: String
  ) throws(SchemaProblem) -> Bool {
    try pattern.matches(text, &work)
  }
}
