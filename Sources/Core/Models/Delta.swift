/// A chunk of a response that is being streamed.
public struct Delta: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "delta"

  /// The id of the stage that the response is for.
  public var stageId: String?
  /// The id of the message that the response belongs to.
  public var messageId: String?
  /// The model that responds.
  public var model: String
  /// The chunk's text.
  public var text: String
  /// A chunk of the model's reasoning.
  ///
  /// If it is present, `text` is empty.
  public var reasoning: String?
  /// `true` if the response starts again, so that its earlier chunks are void.
  public var restart: Bool?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
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
