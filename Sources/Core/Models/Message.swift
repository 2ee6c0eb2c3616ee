/// One turn of a conversation.
public struct Message: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "message"

  /// A UUIDv7.
  public var id: String?
  /// The chat it belongs to.
  public var chatId: String?
  /// The project its file goes to.
  public var project: String?
  /// `user`, `assistant`, `system` or `tool`.
  public var role: String
  /// What was said.
  public var text: String
  /// The model that said it.
  public var model: String?
  /// `true` if a person named `extractive`, so that the chat keeps it; absent for other models.
  public var modelNamed: Bool?
  /// The model that a person named for a plan and its stages, in the reply that holds the plan.
  public var stageModel: String?
  /// Joins the answers of several models to one prompt.
  public var groupId: String?
  /// Whether the chat goes on with this answer of its group.
  public var chosen: Bool?
  /// The tools that the model wants called.
  public var toolCalls: [ToolCall]?
  /// The files that go with it.
  public var attachments: [AttachedFile]?
  /// What the model thought first, where its provider shows it.
  public var reasoning: String?
  /// What its provider wants back unchanged, where the chat goes on.
  public var opaque: Opaque?
  /// The tokens of the call.
  public var usage: Usage?
  /// What they cost in US dollars; absent when the price is unknown.
  public var costUSD: Double?
  /// Why the model stopped, when not because it was done.
  public var stopReason: String?
  /// Whether the whole answer arrived.
  public var complete: Bool?
  /// Why it is not complete.
  public var error: Failure?
  /// Milliseconds from the request to the first piece of the answer.
  public var firstTokenMs: Double?
  /// Milliseconds from the request to the end of the answer.
  public var totalMs: Double?
  /// When it was said.
  public var createdAt: Timestamp?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, chatId, project, role, text, model, modelNamed, stageModel, groupId, chosen,
      toolCalls, attachments, reasoning, opaque, usage, costUSD, stopReason, complete, error,
      firstTokenMs, totalMs, createdAt, labels
  }

  /// A part of an answer that only the provider it came from understands.
  public struct Opaque: Codable, Sendable, Hashable {
    /// The interface it came over, such as `anthropic`.
    public var api: String
    /// The JSON text, as it came.
    public var content: String

    /// Keeps a text.
    public init(api: String, content: String) { (self.api, self.content) = (api, content) }
  }

  /// Creates the record.
  public init(role: String, text: String) {
    self.role = role
    self.text = text
  }
}
