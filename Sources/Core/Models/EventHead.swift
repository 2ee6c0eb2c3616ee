/// The members that all events share.
public struct EventHead: Codable, Sendable, Hashable {
  /// The event's id, once a log has stored it: `<epoch>-<sequence>`.
  public var id: String?
  /// The producer's own id; a log stores events with the same id only once.
  public var srcId: String?
  /// The time of the event, in milliseconds since 1970.
  public var ts: Int64
  /// The swarm of the agent or of the subject; for a run, the pipeline.
  public var swarmId: String?
  /// The agent that the event is filed under: the actor or the subject; for a run, the stage, and
  /// for the run itself, the pipeline.
  public var agentId: String?
  /// The labels that a user attached.
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
