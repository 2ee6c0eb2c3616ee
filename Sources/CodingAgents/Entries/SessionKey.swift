/// The identity of a session, or of a subagent within one.
public struct SessionKey: Codable, Sendable, Hashable {
  /// The program that runs the session.
  public var agent: CodingAgent
  /// The id that the program gave the session.
  public var id: String
  /// The id of the subagent within the session; nil for the session itself.
  ///
  /// Only Claude Code has subagents without a session of their own.
  public var subagent: String?

  /// Creates the identity.
  public init(_ agent: CodingAgent, _ id: String, subagent: String? = nil) {
    (self.agent, self.id, self.subagent) = (agent, id, subagent)
  }

  /// The identity as one word, unique among the sessions of the program.
  public var name: String { subagent.map { "\(id)/\($0)" } ?? id }
}
