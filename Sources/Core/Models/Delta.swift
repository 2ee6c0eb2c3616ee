/// A chunk of a response that is being streamed.
public struct Delta: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "delta"

  /// The stage that the response is for.
  public var stageId: String?
  /// The message that the response belongs to.
  public var messageId: String?
  /// The model that responds.
  public var model: String
  /// The text of the chunk.
  public var text: String
  /// A chunk of the model's reasoning; `text` is then empty.
  public var reasoning: String?
  /// `true` if all earlier chunks of the response are void.
  public var restart: Bool?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
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
