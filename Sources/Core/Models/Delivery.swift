/// The outcome of sending one alert, or several in one message, to a target.
public struct Delivery: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "delivery"

  /// The target, without secrets.
  public var target: String
  /// The id of the alert; of several, the first one's.
  public var alert: String
  /// The kind of the alert's problem.
  public var kind: Alert.Kind
  /// The outcome.
  public var status: Status
  /// The number of attempts to send the message.
  public var attempts: Int
  /// The number of alerts in the message, if there were several.
  public var count: Int?
  /// `true` if the alert had been sent to the target before, and was not sent again.
  public var replayed: Bool?
  /// The reason why the message was not sent.
  public var error: Failure?
  /// The time of the outcome, in milliseconds since 1970.
  public var ts: Int64
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case target, alert, kind, status, attempts, count, replayed, error, ts, labels
  }

  /// The outcome of the attempts to send a message.
  public enum Status: String, Codable, Sendable, CaseIterable {
    case sent, failed
  }

  /// Creates the record.
  public init(
    target: String, alert: String, kind: Alert.Kind, status: Status, attempts: Int, ts: Int64
  ) {
    (self.target, self.alert, self.kind) = (target, alert, kind)
    (self.status, self.attempts, self.ts) = (status, attempts, ts)
  }
}
