import Core

/// The reading of keywords whose values are schemas.
extension SchemaReader {
  /// Reads the subschemas that apply to the same value.
  mutating func readInPlace(_ part: inout SchemaPart) throws(Failure) {
    if let all = try schemas("allOf", part) { part.keywords.append(.allOf(all)) }
    if let any = try schemas("anyOf", part) { part.keywords.append(.anyOf(any)) }
    if let one = try schemas("oneOf", part) { part.keywords.append(.oneOf(one)) }
    if let not = schema("not", part) { part.keywords.append(.not(not)) }
    let (then, otherwise) = (schema("then", part), schema("else", part))
    if let condition = schema("if", part) {
      part.keywords.append(.condition(condition, then: then, otherwise: otherwise))
    }
    var rows = try schemaMap("dependentSchemas", part)
    for (name, value) in (try part.object("dependencies") ?? [:]).inOrder {
      if case .array = value { continue }
      rows.append((name, index(of: value, in: part, "dependencies", name)))
    }
    if !rows.isEmpty { part.keywords.append(.dependentSchemas(rows)) }
  }

  /// Reads the subschemas that apply to members, items and unevaluated parts, and the definitions.
  mutating func readChildren(_ part: inout SchemaPart) throws(Failure) {
    try readMembers(&part)
    if let names = schema("propertyNames", part) { part.keywords.append(.propertyNames(names)) }
    let prefix = try schemas("prefixItems", part) ?? []
    if case .array = part.members["items"] {
      throw part.refusal("items", "must be a single schema, unlike 'prefixItems'")
    }
    let rest = schema("items", part)
    if !prefix.isEmpty || rest != nil { part.keywords.append(.items(prefix: prefix, rest: rest)) }
    let (least, most) = (try part.count("minContains"), try part.count("maxContains"))
    if let contains = schema("contains", part) {
      part.keywords.append(.contains(contains, least: least ?? 1, most: most))
    }
    if let items = schema("unevaluatedItems", part) {
      part.keywords.append(.unevaluatedItems(items))
      table.asksForUnevaluated = true
    }
    if let members = schema("unevaluatedProperties", part) {
      part.keywords.append(.unevaluatedProperties(members))
      table.asksForUnevaluated = true
    }
    _ = schema("contentSchema", part)
    _ = try schemaMap("$defs", part)
    _ = try schemaMap("definitions", part)
  }

  private mutating func readMembers(_ part: inout SchemaPart) throws(Failure) {
    var schemas = MemberSchemas()
    for (name, index) in try schemaMap("properties", part) { schemas.named[name] = index }
    for (source, index) in try schemaMap("patternProperties", part) {
      let pattern = try part.pattern(source, at: part.pointer("patternProperties", source))
      schemas.patterns.append((pattern, index))
    }
    schemas.additional = schema("additionalProperties", part)
    if !schemas.named.isEmpty || !schemas.patterns.isEmpty || schemas.additional != nil {
      part.keywords.append(.members(schemas))
    }
  }

  private mutating func index(
    of value: JSONValue, in part: SchemaPart, _ keyword: String, _ step: String? = nil
  ) -> Int {
    let pointer = step.map { part.pointer(keyword, $0) } ?? part.pointer(keyword)
    return index(of: value, at: pointer, base: part.place.base, resource: part.place.resource)
  }

  private mutating func schema(_ keyword: String, _ part: SchemaPart) -> Int? {
    part.members[keyword].map { index(of: $0, in: part, keyword) }
  }

  private mutating func schemas(
    _ keyword: String, _ part: SchemaPart
  ) throws(Failure) -> [Int]? {
    guard let values = try part.array(keyword) else { return nil }
    if values.isEmpty { throw part.refusal(keyword, "must contain at least one schema") }
    return values.enumerated().map { index(of: $0.element, in: part, keyword, "\($0.offset)") }
  }

  private mutating func schemaMap(
    _ keyword: String, _ part: SchemaPart
  ) throws(Failure) -> [(name: String, schema: Int)] {
    let values = try part.object(keyword) ?? [:]
    return values.inOrder.map { ($0.key, index(of: $0.value, in: part, keyword, $0.key)) }
  }
}
