import Core

extension SchemaCheck {
  /// Checks the given keyword, whose subschemas apply to the members of an object.
  mutating func checkMembers(
    _ value: JSONValue, _ one: SchemaKeyword, _ seen: inout SeenParts
  ) throws(SchemaProblem) -> SchemaProblem? {
    guard case .object(let members) = value else { return nil }
    switch one {
    case .members(let schemas): return try check(members, schemas, &seen)
    case .propertyNames(let schema):
      for (name, _) in members.inOrder {
        let found = try check(
          .string(name), at: .member(name), schema, for: "propertyNames")
        guard var found else { continue }
        found.sentence = "the name of the member \(found.sentence)"
        return found
      }
      return nil
    case .unevaluatedProperties(let schema):
      for (name, member) in members.inOrder where !seen.names.contains(name) {
        let found = try check(
          member, at: .member(name), schema, for: "unevaluatedProperties")
        if let found { return found }
        seen.names.insert(name)
      }
      return nil
    default: return nil
    }
  }

  private mutating func check(
    _ members: [String: JSONValue], _ schemas: MemberSchemas, _ seen: inout SeenParts
  ) throws(SchemaProblem) -> SchemaProblem? {
    for (name, member) in members.inOrder {
      var uses: [(schema: Int, keyword: String)] = []
      if let schema = schemas.named.exactly(name) { uses.append((schema, "properties")) }
      for (pattern, schema) in schemas.patterns where try matches(pattern, name) {
        uses.append((schema, "patternProperties"))
      }
      if uses.isEmpty, let schema = schemas.additional {
        uses.append((schema, "additionalProperties"))
      }
      for (schema, keyword) in uses {
        if let problem = try check(member, at: .member(name), schema, for: keyword) {
          return problem
        }
      }
      if table.asksForUnevaluated, !uses.isEmpty { seen.names.insert(name) }
    }
    return nil
  }
}
