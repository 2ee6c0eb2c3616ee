/// Bytes that a program wrote to its terminal.
public struct TerminalOutput: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "terminalOutput"

  /// The time of the report, in milliseconds since 1970.
  public var ts: Int64
  /// The pane that the output belongs to, such as `%0`.
  public var paneId: String
  /// The bytes as text; absent if they are not UTF-8.
  public var data: String?
  /// The bytes in base64, if they are not UTF-8.
  public var dataBase64: String?
  /// The delay of the output in milliseconds; absent if there was none.
  public var lagMs: Int?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// The members that this version does not know, unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case ts, paneId, data
    case dataBase64 = "data_b64"
    case lagMs, labels
  }

  /// Creates the record.
  public init(
    ts: Int64, paneId: String, data: String? = nil, dataBase64: String? = nil, lagMs: Int? = nil
  ) {
    self.ts = ts
    self.paneId = paneId
    self.data = data
    self.dataBase64 = dataBase64
    self.lagMs = lagMs
  }
}
