/// One step of a pipeline: a role, its task, and how its run stands.
public struct Stage: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "stage"

  /// A UUIDv7.
  public var id: String
  /// The pipeline it belongs to.
  public var pipelineId: String
  /// Its place in the order, from 0; stages that share one run side by side.
  public var position: Int
  /// Who does it.
  public var role: Role
  /// What is to be done.
  public var task: String
  /// Pages that a researcher reads.
  public var researchURLs: [String]?
  /// How the run stands.
  public var status = StageStatus.waiting
  /// Whether a person, or `--yolo`, approved its result.
  public var approved = false
  /// The model asked for, and after the run the one that answered.
  public var model: String?
  /// The sampling temperature.
  public var temperature: Double?
  /// The tokens of all its calls.
  public var usage: Usage?
  /// What they cost in US dollars; absent when a price is unknown.
  public var costUSD: Double?
  /// When its last call began.
  public var startedAt: Timestamp?
  /// When it ended.
  public var finishedAt: Timestamp?
  /// The pages that were read for it.
  public var sources: [Source]?
  /// Why the model stopped, when not because it was done.
  public var stopReason: String?
  /// Why it failed or went back to waiting.
  public var error: Failure?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, pipelineId, position, role, task, researchURLs, status, approved, model,
      temperature, usage, costUSD, startedAt, finishedAt, sources, stopReason, error, labels
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
  /// Reads a stage; one that a person wrote needs a role and a task, the runner fills in the rest.
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
    startedAt = try optional(.startedAt)
    finishedAt = try optional(.finishedAt)
    sources = try optional(.sources)
    stopReason = try optional(.stopReason)
    error = try optional(.error)
    labels = try optional(.labels)
  }
}

/// How a stage's run stands.
public enum StageStatus: String, Codable, Sendable, CaseIterable {
  case waiting, running, completed, approved, failed
}

/// Who does a stage; the three of the contract, or one a user made up.
public struct Role: RawRepresentable, Codable, Sendable, Hashable {
  /// The role's name in records.
  public var rawValue: String

  /// Names a role.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Plans; runs no stage.
  public static let ceo = Role(rawValue: "ceo")
  /// Gathers facts with their sources.
  public static let researcher = Role(rawValue: "researcher")
  /// Writes.
  public static let producer = Role(rawValue: "producer")
  /// Reviews.
  public static let qaReviewer = Role(rawValue: "qaReviewer")
  /// The roles a plan may name.
  public static let planned: [Role] = [.researcher, .producer, .qaReviewer]

  /// The name that headings use.
  public var displayName: String {
    switch self {
    case .ceo: "CEO"
    case .qaReviewer: "QA Reviewer"
    default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
  }
}

/// A page that was read for a stage, or why it was not.
public struct Source: Codable, Sendable, Hashable {
  /// The page's URL, or a file's name.
  public var url: String
  /// The HTTP status, where one was answered.
  public var status: Int?
  /// How many characters were handed on.
  public var characters: Int?
  /// Whether the page was longer.
  public var truncated: Bool?
  /// Why there is no text.
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
