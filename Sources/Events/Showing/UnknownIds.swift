import Core

/// A search for the ids in a filter that occur in no event of the log.
///
/// Such an id was mistyped, or its events have not been logged yet.
public struct UnknownIds {
  private let filter: EventFilter
  private let journal: EventJournal

  /// Creates a search that has not read the log yet.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - journal: The log.
  public init(_ filter: EventFilter, in journal: EventJournal) {
    self.filter = filter
    self.journal = journal
  }

  /// Returns the unknown ids, each with its kind, such as `agent` and `linter`.
  ///
  /// - Parameter hasEvents: `true` if an event has passed the filter. In this case, only the ids of
  ///   agents are checked.
  /// - Returns: The ids; empty if the log cannot be read.
  public func find(hasEvents: Bool) -> [(kind: String, id: String)] {
    (try? unknown(hasEvents)) ?? []
  }

  private func unknown(_ hasEvents: Bool) throws(Failure) -> [(kind: String, id: String)] {
    let all = wanted(withAgents: true)
    guard !all.isEmpty else { return [] }
    guard try journal.readExisting(after: nil, limit: 1) != nil else {
      return all.map { ($0.kind, $0.id) }
    }
    var unknown: [(kind: String, id: String)] = []
    for id in filter.agents where try journal.last(1, ofAgent: id).isEmpty {
      unknown.append(("agent", id))
    }
    guard !hasEvents else { return unknown }
    for (kind, id, filter) in wanted(withAgents: false) where try !holdsEvent(filter) {
      unknown.append((kind, id))
    }
    return unknown
  }

  private func wanted(
    withAgents: Bool
  ) -> [(kind: String, id: String, filter: EventFilter)] {
    let lists: [(kind: String, ids: WritableKeyPath<EventFilter, [String]>)] = [
      ("agent", \.agents), ("swarm", \.swarms), ("skill", \.skills), ("incident", \.incidents),
    ]
    return lists.dropFirst(withAgents ? 0 : 1).flatMap { kind, ids in
      filter[keyPath: ids].map { id in
        var filter = EventFilter()
        filter[keyPath: ids] = [id]
        return (kind, id, filter)
      }
    }
  }

  private func holdsEvent(_ filter: EventFilter) throws(Failure) -> Bool {
    var reader = EventReader(try LogSource(journal, follows: false), filter: filter)
    var isFound = false
    while !isFound, try reader.next({ _ in isFound = true }) {}
    return isFound
  }
}
