/// A goal of a user that has not been planned yet.
public struct Goal: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "goal"

  /// The goal in the user's words.
  public var text: String
  /// The project that its files are exported to.
  public var project: String?
  /// The pages that the researcher should read.
  public var urls: [String]?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
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
