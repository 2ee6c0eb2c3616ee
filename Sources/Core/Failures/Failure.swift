/// Something that went wrong, in the one form every tool reports it in.
///
/// A failure is written as an `error` record on a stream of records, as one line on stderr, and
/// as an exit status; all three come from its ``code``. What the caller adds is one sentence that
/// names the input at fault.
public struct Failure: Error, Sendable, Hashable {
  /// Which row of the failure table this is.
  public var code: FailureCode
  /// One sentence: lower case, no full stop, the subject in single quotes.
  public var explanation: String
  /// A finer reason within a code, such as `blockedAddress`.
  public var kind: FailureKind?
  /// Seconds after which a retry may succeed, when the peer said so.
  public var retryAfterSeconds: Double?
  /// The HTTP status that was answered.
  public var status: Int?
  /// The URL that failed.
  public var url: String?
  /// Where the URL redirected to, in order, the last one being what failed.
  public var redirects: [String]?
  /// The record or line at fault, such as `<stdin>:12`.
  public var input: String?
  /// What lay beneath: a peer's own message, an errno text, a signal's name.
  public var cause: String?
  /// The user's next step, where another one than the code's fits.
  public var nextStep: String?

  /// Creates a failure; everything but the code and the sentence is optional detail.
  public init(
    _ code: FailureCode, _ explanation: String, kind: FailureKind? = nil,
    retryAfterSeconds: Double? = nil, status: Int? = nil, url: String? = nil,
    redirects: [String]? = nil, input: String? = nil, cause: String? = nil,
    nextStep: String? = nil
  ) {
    (self.code, self.explanation, self.kind) = (code, explanation, kind)
    (self.retryAfterSeconds, self.status) = (retryAfterSeconds, status)
    (self.url, self.redirects, self.input, self.cause) = (url, redirects, input, cause)
    self.nextStep = nextStep
  }

  /// The sentence as it may be stored in the clear: without a peer's own words, which may repeat what the
  /// peer was sent.
  public var storedExplanation: String {
    // The causes of these two are the system's words.
    guard let cause, !cause.isEmpty, ![.networkUnavailable, .storageFailed].contains(code) else {
      return explanation
    }
    return explanation.replacing(": " + cause, with: "").replacing(cause, with: "…")
  }

  /// The user's next step, as an imperative.
  public var action: String { nextStep ?? code.action }

  /// The same failure, naming the record or line at fault unless it names one already.
  public func at(_ input: String) -> Failure {
    var copy = self
    copy.input = copy.input ?? input
    return copy
  }
}

/// What a program that shows the failure should offer its user.
public enum SuggestedAction: String, Codable, Sendable {
  case retry, reauth, settings, debug, dismiss
}

/// The part of the world a failure comes from.
public enum FailureCategory: String, Codable, Sendable {
  case network, authentication, model, response, tool, storage, conversation, input
}
