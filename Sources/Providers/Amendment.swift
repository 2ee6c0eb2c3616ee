import Core

/// A second attempt at a request, because the model refused a named part of the first one.
struct Amendment {
  /// The kind of the refused part.
  enum Kind: Hashable {
    /// A member that the model never accepts, left out from now on.
    case member(OptionalMember)
    /// The output limit, lowered for this request.
    case limit
    /// Sealed thinking that belongs to another conversation or another account.
    case thinking
  }

  /// The smallest output limit that an amendment sets.
  ///
  /// It fits in the context of every current model.
  static let leastLimit = 4096

  let kind: Kind
  /// The provider's name for the refused part.
  let name: String
  let request: ModelRequest

  /// Creates the amendment for the given refused attempt; nil if the refused part is essential.
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
    // The refusal of a wrong value says nothing about other values.
    guard rejection.isForGood else { return nil }
    amended.omitted.insert(member)
    (kind, self.name, self.request) = (.member(member), name, amended)
  }
}
