public import Core

/// The messages among which a search looks: those to which all given facts apply.
public struct SearchScope: Sendable {
  /// The earliest time of a message; nil for any.
  public var since: Timestamp?
  /// The latest time of a message; nil for any.
  public var until: Timestamp?
  /// The role; nil for any.
  public var role: String?
  /// The name of the model that wrote the message, or its beginning; nil for any.
  public var model: String?
  /// The id of the project; nil for any.
  public var projectId: String?

  /// Creates the scope of all messages.
  public init() {}

  /// `true` if the time of a message does not suffice to decide.
  var needsTurn: Bool { role != nil || model != nil || projectId != nil }

  /// Returns `true` if a message of the given time, in milliseconds since 1970, may be in the
  /// scope.
  func holds(_ createdAt: Int64) -> Bool {
    createdAt >= since?.milliseconds ?? .min && createdAt <= until?.milliseconds ?? .max
  }

  /// Returns `true` if the role and the model of the given message are in the scope.
  func holds(_ turn: Message) -> Bool {
    (role == nil || turn.role == role)
      && (model.map { turn.model?.lowercased().hasPrefix($0.lowercased()) == true } ?? true)
  }
}
