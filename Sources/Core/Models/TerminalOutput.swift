/// Bytes that a program wrote to its terminal.
public struct TerminalOutput: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "terminalOutput"

  /// The time at which the output was reported, in milliseconds since 1970.
  public var ts: Int64
  /// The id of the pane that wrote the output, such as `%0`.
  public var paneId: String
  /// The output as text; absent if the bytes are not UTF-8.
  public var data: String?
  /// The output in base64; absent if the bytes are UTF-8.
  public var dataBase64: String?
  /// The output's delay in milliseconds; absent if there was none.
  public var lagMs: Int?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
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
