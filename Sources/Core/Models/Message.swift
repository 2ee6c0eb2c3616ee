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
  /// The tokens of the call.
  public var usage: Usage?
  /// What they cost in US dollars; absent when the price is unknown.
  public var costUSD: Double?
  /// Why the model stopped, when not because it was done.
  public var stopReason: String?
  /// Whether the whole answer arrived.
  public var complete: Bool?
  /// When it was said.
  public var createdAt: Timestamp?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case id, chatId, project, role, text, model, usage, costUSD, stopReason, complete,
      createdAt, labels
  }

  /// Creates the record.
  public init(role: String, text: String) {
    self.role = role
    self.text = text
  }
}
