/// Bytes that a program wrote to its terminal.
public struct TerminalOutput: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "terminalOutput"

  /// When they were told of, in milliseconds since 1970.
  public var ts: Int64
  /// The pane that they were written in, such as `%0`.
  public var paneId: String
  /// The bytes as text; absent where they are none.
  public var data: String?
  /// The bytes in base64, where they are no UTF-8.
  public var dataBase64: String?
  /// For how many milliseconds they were held back; absent for none.
  public var lagMs: Int?
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
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
