/// One turn of a conversation.
public struct Message: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "message"

  /// The message's id, a UUIDv7.
  public var id: String?
  /// The id of the chat that the message belongs to.
  public var chatId: String?
  /// The project into whose folder the message's file is exported.
  public var project: String?
  /// The author's role: `user`, `assistant`, `system` or `tool`.
  public var role: String
  /// The message's text.
  public var text: String
  /// The model that wrote the message.
  public var model: String?
  /// `true` if a person selected the model `extractive`, which the chat then continues to use.
  ///
  /// It is absent for other models.
  public var modelNamed: Bool?
  /// The model that a person selected for a plan and its stages.
  ///
  /// Only the reply that contains the plan has it.
  public var stageModel: String?
  /// The id shared by the answers of several models to one prompt.
  public var groupId: String?
  /// `true` if the chat continues from this answer and not from another of its group.
  public var chosen: Bool?
  /// The tool calls that the model requested.
  public var toolCalls: [ToolCall]?
  /// The results of the calls of the preceding answer, in the order of the calls, if the role is
  /// `tool`.
  ///
  /// A call that has not ended has neither `durationMs` nor `error`; if it was sent, it has a
  /// `consent`.
  public var toolResults: [ToolResult]?
  /// The attached files.
  public var attachments: [AttachedFile]?
  /// The model's reasoning, if the provider returns it.
  public var reasoning: String?
  /// Data that the provider expects back unchanged when the chat continues.
  public var opaque: Opaque?
  /// The tokens that the call used.
  public var usage: Usage?
  /// The cost of the call in US dollars; absent if the price is unknown.
  public var costUSD: Double?
  /// The model's stop reason; nil if the answer ended normally.
  public var stopReason: String?
  /// `true` if the whole answer arrived.
  public var complete: Bool?
  /// The failure that made the answer incomplete.
  public var error: Failure?
  /// The time from the request to the first chunk of the answer, in milliseconds.
  public var firstTokenMs: Double?
  /// The time from the request to the end of the answer, in milliseconds.
  public var totalMs: Double?
  /// The time at which the message was written.
  public var createdAt: Timestamp?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, chatId, project, role, text, model, modelNamed, stageModel, groupId, chosen,
      toolCalls, toolResults, attachments, reasoning, opaque, usage, costUSD, stopReason, complete,
      error, firstTokenMs, totalMs, createdAt, labels
  }

  /// A part of an answer that only its provider understands.
  public struct Opaque: Codable, Sendable, Hashable {
    /// The name of the provider's API, such as `anthropic`.
    public var api: String
    /// The part as JSON text, unchanged.
    public var content: String

    /// Creates the part from its JSON text.
    public init(api: String, content: String) { (self.api, self.content) = (api, content) }
  }

  /// Creates the record.
  public init(role: String, text: String) {
    self.role = role
    self.text = text
  }
}
