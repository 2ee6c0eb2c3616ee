public import Core

extension FailureKind {
  /// An answer that was stopped by the provider's content filter.
  static let contentFilter = Self(rawValue: "contentFilter")
  /// A truncated answer.
  static let cut = Self(rawValue: "cut")
  /// An empty answer.
  static let empty = Self(rawValue: "empty")
  /// An answer that is empty because thinking used up the output limit.
  public static let thinking = Self(rawValue: "thinking")
  /// A missing or invalid image.
  static let image = Self(rawValue: "image")
  /// An answer that violates the provider's API.
  static let malformed = Self(rawValue: "malformed")
  /// An unknown model.
  static let model = Self(rawValue: "model")
  /// An answer that is not an event stream.
  static let notAStream = Self(rawValue: "notAStream")
  /// Stop sequences, which the API does not support.
  static let stopSequences = Self(rawValue: "stopSequences")
  /// A refusal by the model.
  static let refusal = Self(rawValue: "refusal")
  /// A model or a service that has ended.
  static let retired = Self(rawValue: "retired")
  /// A model that is not available on this machine.
  static let unavailable = Self(rawValue: "unavailable")
}
