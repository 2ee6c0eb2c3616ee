/// The names that the error of a 400 mentions.
public struct Rejection: Sendable, Hashable {
  /// The names, the most likely first.
  public var names: [String] = []
  /// `true` if the model never accepts the member, rather than its value.
  public var isForGood = false
  /// `true` if sealed thinking belongs to another conversation or another account.
  public var isBoundBlock = false
}
