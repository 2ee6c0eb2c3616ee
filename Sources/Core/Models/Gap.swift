/// Events that a reader of a log cannot be given any more.
public struct Gap: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "gap"

  /// When it was noticed, in milliseconds since 1970.
  public var ts: Int64
  /// The id that was read last.
  public var from: String
  /// The id that is read next; absent where nothing was logged since.
  public var to: String?
  /// Why they are gone.
  public var reason: Reason
  /// Strings a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, as they came.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case ts, from, to, reason, labels
  }

  /// Why events are gone: too many came after them, the log is another one, or who reads is too slow.
  public enum Reason: String, Codable, Sendable, CaseIterable {
    case retention, epoch, slowConsumer
  }

  /// Creates the record.
  public init(
    ts: Int64, from: String, to: String? = nil, reason: Reason
  ) {
    self.ts = ts
    self.from = from
    self.to = to
    self.reason = reason
  }
}
