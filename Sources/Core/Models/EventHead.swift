/// The members that all events share.
public struct EventHead: Codable, Sendable, Hashable {
  /// The id that a log assigns when it stores the event: `<epoch>-<sequence>`.
  public var id: String?
  /// The id that the producer assigned.
  ///
  /// A log stores events with the same id only once.
  public var srcId: String?
  /// The time of the event, in milliseconds since 1970.
  public var ts: Int64
  /// The id of the agent's swarm; for an event of a pipeline's run, the pipeline's id.
  public var swarmId: String?
  /// The id of the agent that acted or that the event is about.
  ///
  /// An event of a pipeline's run has the stage's id, or the pipeline's id if it concerns no stage.
  public var agentId: String?
  /// The name of the machine from which a hub received the event, as that machine gave it.
  ///
  /// An event of the log's own machine has none. See ``EventHost``.
  public var host: String?
  /// The labels that a user attached.
  public var labels: [String: String]?

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, srcId, ts, swarmId, agentId, host, labels
  }

  /// Creates the head of an event that no log has stored yet.
  public init(ts: Int64, swarmId: String? = nil, agentId: String? = nil) {
    self.ts = ts
    self.swarmId = swarmId
    self.agentId = agentId
  }
}
