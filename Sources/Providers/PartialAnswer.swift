/// The received part of an incomplete answer.
public struct PartialAnswer: Sendable, Hashable {
  /// The text.
  public var text = ""
  /// The reasoning.
  public var reasoning = ""

  /// Creates an empty part.
  public init() {}

  /// `true` if nothing was received.
  public var isEmpty: Bool { text.isEmpty && reasoning.isEmpty }
}
