import Core

extension SchemaReader {
  /// Throws a failure if a schema refers to itself without descending into the value.
  ///
  /// Such a reference asserts nothing, and following it would not end.
  func refuseCircles() throws(Failure) {
    var isDone = Array(repeating: false, count: table.keywords.count)
    var isOpen = isDone
    for start in table.keywords.indices where !isDone[start] {
      var path = [(schema: start, rest: others(start)[...])]
      isOpen[start] = true
      while let last = path.indices.last {
        guard let next = path[last].rest.popFirst() else {
          isOpen[path[last].schema] = false
          isDone[path[last].schema] = true
          path.removeLast()
          continue
        }
        if isOpen[next] {
          throw Self.refusal(pointer(of: next), "refers to itself in a circle")
        }
        guard !isDone[next] else { continue }
        isOpen[next] = true
        path.append((next, others(next)[...]))
      }
    }
  }

  private func pointer(of index: Int) -> String {
    places.values.first { $0.index == index }?.pointer ?? ""
  }

  /// Returns the indices of those subschemas of the given schema that apply to the same value.
  private func others(_ index: Int) -> [Int] {
    table.keywords[index].flatMap { keyword -> [Int] in
      switch keyword {
      case .reference(let reference): [table.targets[reference]]
      case .allOf(let schemas), .anyOf(let schemas), .oneOf(let schemas): schemas
      case .not(let schema): [schema]
      case .condition(let schema, let then, let otherwise):
        [schema] + [then, otherwise].compactMap(\.self)
      case .dependentSchemas(let rows): rows.map(\.schema)
      default: []
      }
    }
  }
}
