import Core

/// The check of one value against a schema.
///
/// The functions return nil if the value matches. They throw only if the limit of work is exceeded.
/// In that case, no other subschema is tried.
struct SchemaCheck {
  /// The maximum nesting of schemas that is followed.
  ///
  /// Each level uses a part of the thread's stack.
  static let mostDepth = 1_500

  enum Step {
    case member(String)
    case item(Int)
  }

  let table: SchemaTable
  var work: CheckingWork
  private var path: [Step] = []
  private var depth = 0

  init(_ table: SchemaTable, _ work: CheckingWork) { (self.table, self.work) = (table, work) }

  /// The JSON pointer to the value that is being checked.
  var pointer: String {
    path.reduce(into: "") { text, step in
      switch step {
      case .member(let name): text += "/" + JSONPointer.escaped(name)
      case .item(let index): text += "/\(index)"
      }
    }
  }

  func problem(_ keyword: String, _ sentence: String) -> SchemaProblem {
    SchemaProblem(pointer, keyword, sentence)
  }

  /// Checks the given value against the schema with the given index, on behalf of the given
  /// keyword.
  ///
  /// If the value matches, the parts of it that the schema evaluates are added to `seen`.
  mutating func check(
    _ value: JSONValue, _ schema: Int, for keyword: String, _ seen: inout SeenParts
  ) throws(SchemaProblem) -> SchemaProblem? {
    try work.spend(table.asksForUnevaluated ? 10 : 5)
    depth += 1
    defer { depth -= 1 }
    if depth > Self.mostDepth { throw problem(keyword, "is nested too deeply to be checked") }
    var own = SeenParts()
    for one in table.keywords[schema] {
      if let problem = try check(value, one, for: keyword, &own) { return problem }
    }
    if table.asksForUnevaluated { seen.add(own) }
    return nil
  }

  /// Checks a member or an item of the current value against the schema with the given index.
  mutating func check(
    _ value: JSONValue, at step: Step, _ schema: Int, for keyword: String
  ) throws(SchemaProblem) -> SchemaProblem? {
    path.append(step)
    defer { path.removeLast() }
    var seen = SeenParts()
    return try check(value, schema, for: keyword, &seen)
  }

  private mutating func check(
    _ value: JSONValue, _ one: SchemaKeyword, for keyword: String, _ seen: inout SeenParts
  ) throws(SchemaProblem) -> SchemaProblem? {
    switch one {
    case .nothing: problem(keyword, "is not allowed")
    case .reference(let index):
      try check(value, table.targets[index], for: keyword, &seen)
    case .allOf, .anyOf, .oneOf, .not, .condition, .dependentSchemas:
      try checkInPlace(value, one, &seen)
    case .members, .propertyNames, .unevaluatedProperties:
      try checkMembers(value, one, &seen)
    case .items, .contains, .unevaluatedItems:
      try checkItems(value, one, &seen)
    default: try checkAssertion(value, one)
    }
  }
}

/// The members and items of a value that schemas have evaluated.
///
/// The keywords `unevaluatedProperties` and `unevaluatedItems` need them.
struct SeenParts {
  var names: Set<String> = []
  /// The number of items, from the start of the array, that were evaluated.
  var prefix = 0
  var items: Set<Int> = []

  mutating func add(_ other: SeenParts) {
    names.formUnion(other.names)
    prefix = max(prefix, other.prefix)
    items.formUnion(other.items)
  }
}
