/// The address of a page to read.
public struct URLRecord: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "url"

  /// The address.
  public var url: String
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case url, labels
  }

  /// Creates the record.
  public init(
    url: String, labels: [String: String]? = nil
  ) {
    self.url = url
    self.labels = labels
  }
}
