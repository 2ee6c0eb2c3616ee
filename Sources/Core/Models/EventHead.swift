/// The members that all events share.
public struct EventHead: Codable, Sendable, Hashable {
  /// The id that a log assigns when it stores the event: `<epoch>-<sequence>`.
  public var id: String?
  /// The producer's own id; a log stores events with the same id only once.
  public var srcId: String?
  /// The time of the event, in milliseconds since 1970.
  public var ts: Int64
  /// The swarm of that agent; for events of a pipeline's run, the pipeline's id.
  public var swarmId: String?
  /// The agent that acted or that the event is about; for events of a pipeline's run, the id of the
  /// stage, or of the pipeline if no stage is concerned.
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
