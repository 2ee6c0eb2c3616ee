/// A goal, planned as a series of stages, and the state of the pipeline's run.
public struct Pipeline: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "pipeline"

  /// The pipeline's id, a UUIDv7.
  public var id: String
  /// The project that a person named; nil if the name was derived from the goal.
  public var namedProject: String? {
    let derived = with { $0.project = nil }.projectName
    return projectName == derived ? nil : projectName
  }

  /// The project into whose folder files are exported; nil if the record names none.
  public var project: String?
  /// The goal in the user's words.
  public var goal: String
  /// The state of the run.
  public var status = PipelineStatus.waiting
  /// The number of stages in the plan.
  public var stageCount: Int?
  /// The model that planned the pipeline.
  public var model: String?
  /// The model that a person selected for planning.
  ///
  /// Stages without a model of their own use it too.
  public var stageModel: String?
  /// The tokens of planning, of all stages and of failed calls together.
  public var usage: Usage?
  /// The total cost in US dollars; absent if the price of a part is unknown.
  public var costUSD: Double?
  /// The known part of the cost in US dollars; nil if the whole cost is known, or nothing of it.
  public var knownCostUSD: Double?
  /// The reason why the results have no findings, `noSources` or `noQuotes`; nil if there are some.
  public var emptyReason: String?
  /// The time at which the pipeline was planned.
  public var createdAt: Timestamp?
  /// The time at which the run ended.
  public var finishedAt: Timestamp?
  /// The failure that stopped the run.
  public var error: Failure?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, project, goal, status, stageCount, model, stageModel, usage, costUSD,
      knownCostUSD, emptyReason, createdAt, finishedAt, error, labels
  }

  /// Creates the record.
  public init(id: String, goal: String) {
    self.id = id
    self.goal = goal
  }
}

/// The state of a pipeline's run.
public enum PipelineStatus: String, Codable, Sendable, CaseIterable {
  case waiting, running, paused, completed, failed, cancelled
}

extension Pipeline {
  /// Decodes a pipeline.
  ///
  /// Only the goal is required, because the runner adds the other members.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try container.decodeIfPresent(Value.self, forKey: key)
    }
    id = try optional(.id) ?? ""
    project = try optional(.project)
    goal = try container.decode(String.self, forKey: .goal)
    status = try optional(.status) ?? .waiting
    stageCount = try optional(.stageCount)
    model = try optional(.model)
    stageModel = try optional(.stageModel)
    usage = try optional(.usage)
    costUSD = try optional(.costUSD)
    knownCostUSD = try optional(.knownCostUSD)
    emptyReason = try optional(.emptyReason)
    createdAt = try optional(.createdAt)
    finishedAt = try optional(.finishedAt)
    error = try optional(.error)
    labels = try optional(.labels)
  }

  /// The project into whose folder files are exported.
  ///
  /// It is ``project``. If that is nil, it is the start of the goal, or "project" as a last resort.
  public var projectName: String {
    if let project, !project.isEmpty { return project }
    let start = goal.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(60)
    let trimmed = start.last == " " ? start.dropLast() : start
    return trimmed.isEmpty ? "project" : String(trimmed)
  }
}
