/// One turn of a conversation.
public struct Message: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "message"

  /// The id, a UUIDv7.
  public var id: String?
  /// The chat that the message belongs to.
  public var chatId: String?
  /// The project that its file is exported to.
  public var project: String?
  /// `user`, `assistant`, `system` or `tool`.
  public var role: String
  /// The text.
  public var text: String
  /// The model that wrote the message.
  public var model: String?
  /// `true` if a person selected the model `extractive`, which the chat then keeps; absent for
  /// other models.
  public var modelNamed: Bool?
  /// The model that a person selected for a plan and its stages; only in the reply that contains
  /// the plan.
  public var stageModel: String?
  /// The id shared by the answers of several models to one prompt.
  public var groupId: String?
  /// `true` if the chat continues from this answer of its group.
  public var chosen: Bool?
  /// The tool calls that the model requested.
  public var toolCalls: [ToolCall]?
  /// The attached files.
  public var attachments: [AttachedFile]?
  /// The model's reasoning, if the provider returns it.
  public var reasoning: String?
  /// Data that the provider expects back unchanged when the chat continues.
  public var opaque: Opaque?
  /// The tokens of the call.
  public var usage: Usage?
  /// The cost in US dollars; absent if the price is unknown.
  public var costUSD: Double?
  /// The model's stop reason, if the answer did not end normally.
  public var stopReason: String?
  /// `true` if the whole answer arrived.
  public var complete: Bool?
  /// The reason why the answer is incomplete.
  public var error: Failure?
  /// The milliseconds from the request to the first chunk of the answer.
  public var firstTokenMs: Double?
  /// The milliseconds from the request to the end of the answer.
  public var totalMs: Double?
  /// The time of the message.
  public var createdAt: Timestamp?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, chatId, project, role, text, model, modelNamed, stageModel, groupId, chosen,
      toolCalls, attachments, reasoning, opaque, usage, costUSD, stopReason, complete, error,
      firstTokenMs, totalMs, createdAt, labels
  }

  /// A part of an answer that only its provider understands.
  public struct Opaque: Codable, Sendable, Hashable {
    /// The provider's API, such as `anthropic`.
    public var api: String
    /// The JSON text, unchanged.
    public var content: String

    /// Creates the part from its text.
    public init(api: String, content: String) { (self.api, self.content) = (api, content) }
  }

  /// Creates the record.
  public init(role: String, text: String) {
    self.role = role
    self.text = text
  }
}
