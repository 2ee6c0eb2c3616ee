import Core

extension SchemaPart {
  /// Reads the keywords that constrain the value itself and have no subschemas.
  mutating func readAssertions() throws(Failure) {
    try readTypes()
    try readValues()
    for bound in NumberBound.allCases {
      if let number = try number(bound.rawValue) { keywords.append(.bound(bound, number)) }
    }
    if let number = try number("multipleOf") {
      guard !number.isNegative, number.digits != 0 else {
        throw refusal("multipleOf", "must be more than 0")
      }
      keywords.append(.multipleOf(number))
    }
    for bound in CountBound.allCases {
      if let count = try count(bound.rawValue) { keywords.append(.count(bound, count)) }
    }
    if let source = try string("pattern") {
      keywords.append(.pattern(try pattern(source, at: pointer("pattern"))))
    }
    switch members["uniqueItems"] {
    case nil, .bool(false): break
    case .bool(true): keywords.append(.uniqueItems)
    default: throw refusal("uniqueItems", "must be a boolean")
    }
    if let value = members["required"] {
      keywords.append(.required(try names(value, "required")))
    }
    try readDependentNames()
  }

  private mutating func readTypes() throws(Failure) {
    let texts: [String]
    switch members["type"] {
    case nil: return
    case .string(let text): texts = [text]
    case .array(let items) where !items.isEmpty: texts = try names(.array(items), "type")
    default: throw refusal("type", "must be a type name or an array of type names")
    }
    var types: [JSONType] = []
    for text in texts {
      guard let type = JSONType(rawValue: text) else {
        let known = JSONType.allCases.map(\.rawValue).joined(separator: ", ")
        throw refusal("type", "must name a type out of \(known)")
      }
      types.append(type)
    }
    keywords.append(.type(types))
  }

  private mutating func readValues() throws(Failure) {
    if let value = members["const"] {
      keywords.append(.constant(CanonicalJSON(value), shown: Shown.value(value)))
    }
    if let values = try array("enum") {
      let shown = values.prefix(20).map(Shown.value) + (values.count > 20 ? ["…"] : [])
      keywords.append(
        .enumeration(Set(values.map { CanonicalJSON($0) }), shown: shown.joined(separator: ", ")))
    }
  }

  /// Reads `dependentRequired`, and the equivalent form of the older keyword `dependencies`.
  private mutating func readDependentNames() throws(Failure) {
    var rows: [(name: String, others: [String])] = []
    for (name, value) in (try object("dependentRequired") ?? [:]).inOrder {
      rows.append((name, try names(value, "dependentRequired")))
    }
    for (name, value) in (try object("dependencies") ?? [:]).inOrder {
      if case .array = value { rows.append((name, try names(value, "dependencies"))) }
    }
    if !rows.isEmpty { keywords.append(.dependentRequired(rows)) }
  }
}
