import Core

/// The order of what is watched.
enum WatchOrder: String, CaseIterable {
  /// Those in trouble first, as they come.
  case trouble
  case time, name, errors

  /// The order that a key goes on to.
  var next: WatchOrder {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }

  /// Records in this order: the newest first, by name, or those with most errors first.
  func sorted<Record>(
    _ records: [Record], at time: (Record) -> Timestamp, name: (Record) -> String,
    errors: (Record) -> Double
  ) -> [Record] {
    // Of equals the one that came first stays first: sorting does not promise it.
    let placed = Array(records.enumerated())
    let sorted =
      switch self {
      case .trouble: placed
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
