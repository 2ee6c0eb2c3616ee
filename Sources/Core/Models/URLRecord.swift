/// A page to be read.
public struct URLRecord: StreamRecord, Hashable {
  public static let type = "url"

  /// Its address.
  public var url: String
  /// Strings a user attached.
  public var labels: [String: String]?
  public var unknown = UnknownMembers()

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
