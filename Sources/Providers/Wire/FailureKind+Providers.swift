public import Core

extension FailureKind {
  /// The provider held the answer back.
  static let contentFilter = Self(rawValue: "contentFilter")
  /// The answer ended before its end.
  static let cut = Self(rawValue: "cut")
  /// The answer holds nothing.
  static let empty = Self(rawValue: "empty")
  /// The model used its whole output limit for thinking.
  public static let thinking = Self(rawValue: "thinking")
  /// A picture did not come, or is none.
  static let image = Self(rawValue: "image")
  /// The answer is not what the provider's interface says.
  static let malformed = Self(rawValue: "malformed")
  /// The name of a model that there is not.
  static let model = Self(rawValue: "model")
  /// The answer is no stream of events.
  static let notAStream = Self(rawValue: "notAStream")
  /// The interface has no stop sequences.
  static let stopSequences = Self(rawValue: "stopSequences")
  /// The model refused to answer.
  static let refusal = Self(rawValue: "refusal")
  /// A model or a service that is switched off.
  static let retired = Self(rawValue: "retired")
  /// A model that cannot be asked from here.
  static let unavailable = Self(rawValue: "unavailable")
}
