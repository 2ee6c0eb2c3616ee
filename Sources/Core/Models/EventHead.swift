/// What all events share.
public struct EventHead: Codable, Sendable, Hashable {
  /// The event's id, once a log has stored it: `<epoch>-<sequence>`.
  public var id: String?
  /// The producer's own id, by which an event that comes twice is known: a log takes it only once.
  public var srcId: String?
  /// When it happened, in milliseconds since 1970.
  public var ts: Int64
  /// The swarm of the agent, or whom it is about; of a run, the pipeline.
  public var swarmId: String?
  /// The agent that the event is found by: who did it, or whom it is about; of a run, the stage, and
  /// of the run itself, the pipeline.
  public var agentId: String?
  /// Strings a user attached.
  public var labels: [String: String]?

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, srcId, ts, swarmId, agentId, labels
  }

  /// Creates the head of an event that no log has stored yet.
  public init(ts: Int64, swarmId: String? = nil, agentId: String? = nil) {
    self.ts = ts
    self.swarmId = swarmId
    self.agentId = agentId
  }
}
