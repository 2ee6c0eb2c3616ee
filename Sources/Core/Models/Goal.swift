/// What a user wants done, before anyone has planned it.
public struct Goal: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "goal"

  /// The goal in the user's words.
  public var text: String
  /// The project its files go to.
  public var project: String?
  /// Pages that the researcher should read.
  public var urls: [String]?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case text, project, urls, labels
  }

  /// Creates the record.
  public init(text: String) {
    self.text = text
  }
}
