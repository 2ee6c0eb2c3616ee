/// A step of a pipeline: a role, its task, and the state of its run.
public struct Stage: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "stage"

  /// The stage's id, a UUIDv7.
  public var id: String
  /// The id of the pipeline that the stage belongs to.
  public var pipelineId: String
  /// The position in the pipeline, from 0.
  ///
  /// Stages with the same position run concurrently.
  public var position: Int
  /// The role that performs the stage.
  public var role: Role
  /// The task that the role performs.
  public var task: String
  /// The addresses of pages that a researcher reads.
  public var researchURLs: [String]?
  /// The state of the run.
  public var status = StageStatus.waiting
  /// `true` if the result was approved, by a person or under `--yolo`.
  public var approved = false
  /// The requested model; after the run, the model that was used.
  public var model: String?
  /// The sampling temperature.
  public var temperature: Double?
  /// The tokens of all the stage's calls.
  public var usage: Usage?
  /// The cost of those tokens in US dollars; absent if a price is unknown.
  public var costUSD: Double?
  /// The known part of the cost in US dollars; nil if the whole cost is known, or nothing of it.
  public var knownCostUSD: Double?
  /// The time at which the stage's last call began.
  public var startedAt: Timestamp?
  /// The time at which the stage ended.
  public var finishedAt: Timestamp?
  /// The pages that were read for the stage.
  public var sources: [Source]?
  /// The model's stop reason; nil if the answer ended normally.
  public var stopReason: String?
  /// The failure that ended the stage or returned it to waiting.
  public var error: Failure?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, pipelineId, position, role, task, researchURLs, status, approved, model,
      temperature, usage, costUSD, knownCostUSD, startedAt, finishedAt, sources, stopReason, error,
      labels
  }

  /// Creates the record.
  public init(id: String, pipelineId: String, position: Int, role: Role, task: String) {
    self.id = id
    self.pipelineId = pipelineId
    self.position = position
    self.role = role
    self.task = task
  }
}

extension Stage {
  /// Decodes a stage.
  ///
  /// Only a role and a task are required, because the runner adds the other members.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try container.decodeIfPresent(Value.self, forKey: key)
    }
    id = try optional(.id) ?? ""
    pipelineId = try optional(.pipelineId) ?? ""
    position = try optional(.position) ?? 0
    role = try container.decode(Role.self, forKey: .role)
    task = try container.decode(String.self, forKey: .task)
    researchURLs = try optional(.researchURLs)
    status = try optional(.status) ?? .waiting
    approved = try optional(.approved) ?? false
    model = try optional(.model)
    temperature = try optional(.temperature)
    usage = try optional(.usage)
    costUSD = try optional(.costUSD)
    knownCostUSD = try optional(.knownCostUSD)
    startedAt = try optional(.startedAt)
    finishedAt = try optional(.finishedAt)
    sources = try optional(.sources)
    stopReason = try optional(.stopReason)
    error = try optional(.error)
    labels = try optional(.labels)
  }
}

/// The state of a stage's run.
public enum StageStatus: String, Codable, Sendable, CaseIterable {
  case waiting, running, completed, approved, failed
}

/// A role in a pipeline, either predefined or defined by a user.
public struct Role: RawRepresentable, Codable, Sendable, Hashable {
  /// The name that records give the role.
  public var rawValue: String

  /// Creates a role from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The role that plans pipelines.
  ///
  /// It runs no stage.
  public static let ceo = Role(rawValue: "ceo")
  /// The role that gathers facts with their sources.
  public static let researcher = Role(rawValue: "researcher")
  /// The role that writes the result.
  public static let producer = Role(rawValue: "producer")
  /// The role that reviews the result.
  public static let qaReviewer = Role(rawValue: "qaReviewer")
  /// The predefined roles that a plan may assign to stages.
  public static let planned: [Role] = [.researcher, .producer, .qaReviewer]

  /// The role's name in headings.
  public var displayName: String {
    switch self {
    case .ceo: "CEO"
    case .qaReviewer: "QA Reviewer"
    default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
  }
}

/// A page that was read for a stage, or the failure of an attempt to read it.
public struct Source: Codable, Sendable, Hashable {
  /// The page's URL, or a file's name.
  public var url: String
  /// The HTTP status, if there was a response.
  public var status: Int?
  /// The number of characters of the page's text that were passed to the model.
  public var characters: Int?
  /// `true` if the page's text was truncated.
  public var truncated: Bool?
  /// The failure that prevented reading the page.
  public var error: Failure?

  /// Creates the entry.
  public init(
    url: String, status: Int? = nil, characters: Int? = nil, truncated: Bool? = nil,
    error: Failure? = nil
  ) {
    self.url = url
    self.status = status
    self.characters = characters
    self.truncated = truncated
    self.error = error
  }
}
