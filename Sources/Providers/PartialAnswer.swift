/// What came of an answer that never got whole.
public struct PartialAnswer: Sendable, Hashable {
  /// Its text.
  public var text = ""
  /// Its reasoning.
  public var reasoning = ""

  /// Nothing.
  public init() {}

  /// Whether nothing came.
  public var isEmpty: Bool { text.isEmpty && reasoning.isEmpty }
}
