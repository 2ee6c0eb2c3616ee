import Core

/// A request as it is sent once more, after its model refused a part of it by name.
struct Amendment {
  /// The refused part.
  enum Kind: Hashable {
    /// A member that the model takes in no request: it is left out from now on.
    case member(OptionalMember)
    /// The output limit, which is lowered for this request.
    case limit
    /// Sealed thinking of another conversation, or of another account.
    case thinking
  }

  /// A limit that every context of today has room for.
  static let leastLimit = 4096

  let kind: Kind
  /// The refused part, as the provider names it.
  let name: String
  let request: ModelRequest

  /// Reads the answer to an attempt; returns nil if it refuses nothing that the request can do without.
  init?(_ request: ModelRequest, _ state: Attempt.State) {
    guard state.status == 400, let rejection = state.rejection else { return nil }
    if rejection.isBoundBlock {
      guard request.sendsOpaque, request.turns.contains(where: { $0.opaque != nil }) else {
        return nil
      }
      var bare = request
      bare.sendsOpaque = false
      (kind, name, self.request) = (.thinking, "thinking", bare)
      return
    }
    let members = rejection.names.lazy.compactMap { name in
      OptionalMember(wire: name).map { (name, $0) }
    }
    guard let (name, member) = members.first(where: { request.sends($0.1) }) else { return nil }
    var amended = request
    if member == .limit {
      guard request.maximumOutputTokens ?? 0 > Self.leastLimit else { return nil }
      amended.maximumOutputTokens = Self.leastLimit
      (kind, self.name, self.request) = (.limit, name, amended)
      return
    }
    // A value that is wrong says nothing about the next one.
    guard rejection.isForGood else { return nil }
    amended.omitted.insert(member)
    (kind, self.name, self.request) = (.member(member), name, amended)
  }
}
