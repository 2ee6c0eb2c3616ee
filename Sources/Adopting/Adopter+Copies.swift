import CodingAgents

/// Calls that the files of several sessions contain, because one was copied from the other.
extension Adopter {
  /// Records the session of the given entry's call.
  ///
  /// - Returns: `false` if the call belongs to another session.
  func claim(_ entry: SessionEntry, for key: SessionKey) -> Bool {
    guard case .call(let call) = entry.content, !entry.isCopy else { return true }
    let mark = AdoptedSession.mark(ofCall: call.id, by: key.agent)
    // Old versions copied the calls of a session that was resumed.
    if let owner = owners[mark], owner != key {
      // It is unknown whose sums include the call.
      for key in [owner, key] { sessions[key]?.calls.sums?.lose() }
      return false
    }
    if owners.count >= Self.mostOwners { owners = [:] }
    owners[mark] = key
    return true
  }

  /// Sets the sums with which the given session began, if it is a fork.
  func inheritTotal(_ session: inout AdoptedSession) {
    guard session.needsBase else { return }
    let origin = session.facts.forkedFrom.map { SessionKey(session.key.agent, $0) }
    guard let parent = origin ?? session.copiedCall.flatMap({ owners[$0] }) else { return }
    // Copies in other sessions are also read as entries of the session itself.
    guard parent != session.key else { return session.copiedCall = nil }
    session.inherit(from: sessions[parent] ?? stored(parent))
  }
}
