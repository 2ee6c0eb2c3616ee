/// The part of an incomplete answer that was received.
public struct PartialAnswer: Sendable, Hashable {
  /// The text.
  public var text = ""
  /// The reasoning.
  public var reasoning = ""

  /// Creates an empty partial answer.
  public init() {}

  /// `true` if nothing was received.
  public var isEmpty: Bool { text.isEmpty && reasoning.isEmpty }
}
