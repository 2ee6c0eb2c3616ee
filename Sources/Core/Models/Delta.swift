/// A piece of an answer, as it arrives.
public struct Delta: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "delta"

  /// The stage that is being answered.
  public var stageId: String?
  /// The message that is being answered.
  public var messageId: String?
  /// The model that answers.
  public var model: String
  /// The piece.
  public var text: String
  /// A piece of what the model thinks first; `text` is empty then.
  public var reasoning: String?
  /// Whether all that came of the answer before is void.
  public var restart: Bool?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case stageId, messageId, model, text, reasoning, restart, labels
  }

  /// Creates the record.
  public init(model: String, text: String) {
    self.model = model
    self.text = text
  }
}
