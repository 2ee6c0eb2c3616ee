/// A fact about what is set up on a machine, and what to do if something is missing or wrong.
public struct Check: StreamRecord, Hashable {
  /// The value of the `type` member.
  public static let type = "check"

  /// The subject, such as `key`, `hub` or `store`.
  public var name: String
  /// The state of the subject.
  public var status: Status
  /// The state in one sentence.
  public var summary: String
  /// The next step, as a command if one suffices; nil if nothing needs to be done.
  public var nextStep: String?
  /// The labels that a user attached.
  public var labels: [String: String]?
  /// Members that this version does not know, which are written back unchanged.
  public var unknown = UnknownMembers()

  /// The members that this version knows.
  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, status, summary, nextStep, labels
  }

  /// The state of a subject.
  public enum Status: String, Codable, Sendable, CaseIterable {
    /// The subject is in order.
    case ok
    /// The subject is not set up; nothing depends on it.
    case missing
    /// The subject makes tools fail.
    case wrong
  }

  /// Creates the record.
  public init(_ name: String, _ status: Status, _ summary: String, nextStep: String? = nil) {
    (self.name, self.status, self.summary, self.nextStep) = (name, status, summary, nextStep)
  }

  /// Creates the record of a subject with the given failure.
  public init(_ name: String, _ failure: Failure) {
    self.init(name, .wrong, failure.explanation, nextStep: failure.action)
  }
}
