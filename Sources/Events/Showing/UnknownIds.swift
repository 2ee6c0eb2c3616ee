import Core

/// Finds which of the ids that a filter wants no event of the log is about: they were mistyped, or
/// their events are yet to come.
public struct UnknownIds {
  private let filter: EventFilter
  private let journal: EventJournal

  /// Prepares to look; nothing is read yet.
  ///
  /// - Parameters:
  ///   - filter: What is wanted.
  ///   - journal: The log.
  public init(_ filter: EventFilter, in journal: EventJournal) {
    self.filter = filter
    self.journal = journal
  }

  /// What is not there, such as `agent 'linter'`.
  ///
  /// - Parameter hasEvents: Whether an event met the conditions: then of each other kind one at least
  ///   is known, and only agents are looked at, which takes no reading of the log.
  /// - Returns: What each is, and its id; nothing where the log cannot be read, which whoever read it
  ///   before was told.
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
