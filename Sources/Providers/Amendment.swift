import Core

/// A request without what its model refused by name.
struct Amendment {
  /// What was refused.
  enum Kind: Hashable {
    /// A member of the request.
    case member(OptionalMember)
    /// Sealed thinking of another conversation, or of another account.
    case thinking
  }

  let kind: Kind
  /// The refused member, as the provider names it.
  let name: String
  let request: ModelRequest

  /// Reads what an attempt met; returns nil if nothing was refused that the request can do without.
  init?(_ request: ModelRequest, _ state: Attempt.State) {
    guard state.status == 400 else { return nil }
    var amended = request
    if state.rejected.first == ProviderError.boundBlock {
      guard request.sendsOpaque, request.turns.contains(where: { $0.opaque != nil }) else {
        return nil
      }
      amended.sendsOpaque = false
      (kind, name, self.request) = (.thinking, ProviderError.boundBlock, amended)
      return
    }
    let members = state.rejected.lazy.compactMap { name in
      OptionalMember(wire: name).map { (name, $0) }
    }
    guard let (name, member) = members.first(where: { request.sends($0.1) }) else { return nil }
    amended.omitted.insert(member)
    (kind, self.name, self.request) = (.member(member), name, amended)
  }
}
