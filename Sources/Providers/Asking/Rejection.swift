/// The names that the error of a 400 mentions.
public struct Rejection: Sendable, Hashable {
  /// The names, the likeliest first.
  public var names: [String] = []
  /// `true` if the error says that the model does not take a member at all, not that its value is wrong.
  public var isForGood = false
  /// `true` if sealed thinking belongs to another conversation or another account.
  public var isBoundBlock = false
}
