import Core

extension SchemaCheck {
  /// Checks the given keyword, whose subschemas apply to the items of an array.
  mutating func checkItems(
    _ value: JSONValue, _ one: SchemaKeyword, _ seen: inout SeenParts
  ) throws(SchemaProblem) -> SchemaProblem? {
    guard case .array(let items) = value else { return nil }
    switch one {
    case .items(let prefix, let rest):
      for (index, item) in items.enumerated() {
        guard let schema = index < prefix.count ? prefix[index] : rest else { break }
        let keyword = index < prefix.count ? "prefixItems" : "items"
        if let problem = try check(item, at: .item(index), schema, for: keyword) {
          return problem
        }
      }
      seen.prefix = max(seen.prefix, rest == nil ? min(prefix.count, items.count) : items.count)
      return nil
    case .contains(let schema, let least, let most):
      return try checkContains(items, schema, least: least, most: most, &seen)
    case .unevaluatedItems(let schema):
      for (index, item) in items.enumerated()
      where index >= seen.prefix && !seen.items.contains(index) {
        if let problem = try check(item, at: .item(index), schema, for: "unevaluatedItems") {
          return problem
        }
      }
      seen.prefix = items.count
      return nil
    default: return nil
    }
  }

  private mutating func checkContains(
    _ items: [JSONValue], _ schema: Int, least: Int, most: Int?, _ seen: inout SeenParts
  ) throws(SchemaProblem) -> SchemaProblem? {
    var count = 0
    for (index, item) in items.enumerated()
    where try check(item, at: .item(index), schema, for: "contains") == nil {
      count += 1
      if table.asksForUnevaluated { seen.items.insert(index) }
    }
    if count < least {
      let keyword = least == 1 ? "contains" : "minContains"
      let words = least == 1 ? "1 item" : "\(least) items"
      return problem(keyword, "must have at least \(words) matching the schema of 'contains'")
    }
    if let most, count > most {
      return problem(
        "maxContains",
        "must have at most \(most) items matching the schema of 'contains', but has \(count)")
    }
    return nil
  }
}
