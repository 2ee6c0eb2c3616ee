import CodingAgents

/// The turns of a session, and what its process is sought by.
extension AdoptedSession {
  /// Records if the agent works on a prompt after the given entry.
  mutating func followTurn(_ content: SessionEntry.Content) {
    switch content {
    case .turn(let turn): isIdle = turn != .began
    case .prompt, .answer, .result: isIdle = false
    default: break
    }
  }
}

extension ProcessFinder.Sought {
  /// Creates the description of the given session.
  init(_ session: AdoptedSession) {
    let facts = session.facts
    self.init(key: session.key, folder: facts.folder, parent: facts.parent)
    (version, movedTo) = (facts.version, facts.movedTo)
    (isIdle, lastAt) = (session.isIdle ?? false, session.lastAt)
  }
}
