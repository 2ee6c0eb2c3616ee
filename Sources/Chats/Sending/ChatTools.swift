public import Asking

/// The tools that a model may call in a chat, and the limits of their use.
public struct ChatTools: Sendable {
  /// The largest number of rounds by default.
  public static let usualRounds = 20
  /// The largest number of characters of a result by default.
  public static let usualResultCharacters = 50_000

  /// The tools.
  public var bench: any ToolBench
  /// The largest number of rounds; a round is a request and the calls of its answer.
  public var maximumRounds = Self.usualRounds
  /// The largest number of Unicode scalars of a result's text.
  public var maximumResultCharacters = Self.usualResultCharacters

  /// Creates the tools of a bench with the default limits.
  public init(_ bench: any ToolBench) { self.bench = bench }
}
