/// A failure, as every tool reports it.
///
/// A tool writes a failure as an `error` record on a stream of records, as one line on stderr, and
/// as an exit status. The ``code`` determines all three. The caller adds one sentence that names
/// the invalid input.
public struct Failure: Error, Sendable, Hashable {
  /// The failure's code in the failure table.
  ///
  /// Together with the kind, it determines the exit status.
  public var code: FailureCode
  /// The message: one sentence in lower case, without a full stop, with the subject in single
  /// quotes.
  ///
  /// It contains no advice; see ``nextStep``.
  public var explanation: String
  /// A more detailed reason than the code gives, such as `blockedAddress`.
  public var kind: FailureKind?
  /// The number of seconds after which a retry may succeed; nil if the peer did not state it.
  public var retryAfterSeconds: Double?
  /// The HTTP status of the response.
  public var status: Int?
  /// The URL that failed.
  public var url: String?
  /// The addresses of the redirects, in order.
  ///
  /// The last address is the one that failed.
  public var redirects: [String]?
  /// The record or line at fault, such as `<stdin>:12`.
  public var input: String?
  /// The underlying cause: the peer's message, an errno text or a signal's name.
  public var cause: String?
  /// The user's next step; nil if the next step of the failure table applies.
  public var nextStep: String?

  /// Creates a failure from a code, an explanation and optional details.
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

  /// The explanation in a form that is safe to store.
  ///
  /// It omits the peer's message, because that may quote data that was sent to the peer.
  public var storedExplanation: String {
    // The cause of these two codes comes from the operating system, not from a peer.
    guard let cause, !cause.isEmpty, ![.networkUnavailable, .storageFailed].contains(code) else {
      return explanation
    }
    return explanation.replacing(": " + cause, with: "").replacing(cause, with: "…")
  }

  /// The row of the failure table that describes the failure.
  var row: FailureCode.Row { code.row(kind) }
  /// The explanation, followed by the next step if that of the failure table does not apply.
  ///
  /// It is for texts that show no ``action`` of their own.
  public var sentence: String { nextStep.map { "\(explanation); \($0)" } ?? explanation }
  /// The user's next step, as an imperative.
  public var action: String { nextStep ?? row.action }
  /// The exit status of a tool if all its failures have this code and kind.
  public var exitStatus: Int32 { row.exit }

  /// Returns a copy of the failure with the given input, unless it already has an input.
  public func at(_ input: String) -> Failure {
    var copy = self
    copy.input = copy.input ?? input
    return copy
  }
}

/// An action that a program showing the failure should offer its user.
public enum SuggestedAction: String, Codable, Sendable {
  case retry, reauth, settings, debug, dismiss
}

/// The part of the program that a failure comes from.
public enum FailureCategory: String, Codable, Sendable {
  case network, authentication, model, response, tool, storage, conversation, input
}
