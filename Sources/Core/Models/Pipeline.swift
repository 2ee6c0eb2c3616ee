/// A goal, planned as stages, and how its run stands.
public struct Pipeline: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "pipeline"

  /// A UUIDv7.
  public var id: String
  /// The project that a person named; nil if its name is the start of the goal.
  public var namedProject: String? {
    let derived = with { $0.project = nil }.projectName
    return projectName == derived ? nil : projectName
  }

  /// The project its files go to.
  public var project: String?
  /// The goal in the user's words.
  public var goal: String
  /// How the run stands.
  public var status = PipelineStatus.waiting
  /// How many stages the plan has.
  public var stageCount: Int?
  /// The model that planned it.
  public var model: String?
  /// The model that a person named for planning, and that stages run with if nothing names another.
  public var stageModel: String?
  /// The tokens of planning, of all stages and of failed calls.
  public var usage: Usage?
  /// What all of these cost in US dollars; absent when a part's price is unknown.
  public var costUSD: Double?
  /// The reason for which its results say nothing, `noSources` or `noQuotes`; nil if they do.
  public var emptyReason: String?
  /// When it was planned.
  public var createdAt: Timestamp?
  /// When it ended.
  public var finishedAt: Timestamp?
  /// Why it stopped.
  public var error: Failure?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, project, goal, status, stageCount, model, stageModel, usage, costUSD,
      emptyReason, createdAt, finishedAt, error, labels
  }

  /// Creates the record.
  public init(id: String, goal: String) {
    self.id = id
    self.goal = goal
  }
}

/// How a pipeline's run stands.
public enum PipelineStatus: String, Codable, Sendable, CaseIterable {
  case waiting, running, paused, completed, failed, cancelled
}

extension Pipeline {
  /// Reads a pipeline; one that a person wrote needs a goal, the runner fills in the rest.
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
    emptyReason = try optional(.emptyReason)
    createdAt = try optional(.createdAt)
    finishedAt = try optional(.finishedAt)
    error = try optional(.error)
    labels = try optional(.labels)
  }

  /// The project its files go to: the one named, else the start of the goal, else "project".
  public var projectName: String {
    if let project, !project.isEmpty { return project }
    let start = goal.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(60)
    let trimmed = start.last == " " ? start.dropLast() : start
    return trimmed.isEmpty ? "project" : String(trimmed)
  }
}
