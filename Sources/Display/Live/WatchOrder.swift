import Core

/// The order in which watched records are listed.
enum WatchOrder: String, CaseIterable {
  /// The records with the most severe state come first, in the order in which they were given.
  case severity
  case time, name, errors

  /// The order that the user selects next when cycling through all orders.
  var next: WatchOrder {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }

  /// Returns the given records in this order: by severity, by time, by name, or by errors.
  func sorted<Record>(
    _ records: [Record], at time: (Record) -> Timestamp, name: (Record) -> String,
    errors: (Record) -> Double
  ) -> [Record] {
    // Equal records keep their order, which the sorting function alone does not guarantee.
    let placed = Array(records.enumerated())
    let sorted =
      switch self {
      case .severity: placed
      case .time:
        placed.sorted { (time($1.element), $0.offset) < (time($0.element), $1.offset) }
      case .name:
        placed.sorted {
          (name($0.element).lowercased(), $0.offset) < (name($1.element).lowercased(), $1.offset)
        }
      case .errors:
        placed.sorted { (errors($1.element), $0.offset) < (errors($0.element), $1.offset) }
      }
    return sorted.map(\.element)
  }
}
