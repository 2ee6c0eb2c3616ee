/// A goal of a user that has not been planned yet.
public struct Goal: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "goal"

  /// The goal in the user's words.
  public var text: String
  /// The project into whose folder the goal's files are exported.
  public var project: String?
  /// The addresses of pages that the researcher should read.
  public var urls: [String]?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
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
