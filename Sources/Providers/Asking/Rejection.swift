/// The names that an error response with status 400 mentions.
public struct Rejection: Sendable, Hashable {
  /// The names, the most likely first.
  public var names: [String] = []
  /// `true` if the model refuses the member with any value.
  public var isForGood = false
  /// `true` if the request contained sealed thinking of another conversation or another account.
  public var isBoundBlock = false
}
