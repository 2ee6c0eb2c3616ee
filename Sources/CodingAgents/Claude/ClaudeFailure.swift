public import Core

/// The failures of model calls that Claude Code reports.
extension Failure {
  /// The codes of the kinds of failures whose status is unknown.
  private static let codes: [String: FailureCode] = [
    "authentication_failed": .missingAPIKey, "billing_error": .quotaExhausted,
    "invalid_request": .badInput, "max_output_tokens": .invalidResponse, "overloaded": .overloaded,
    "rate_limit": .rateLimited, "server_error": .serverError, "StreamTruncated": .invalidResponse,
  ]

  /// Creates the failure of the given line that has an error in place of an answer.
  public init(claude line: JSONObject, _ words: String) {
    let (kind, status) = (line.string("error"), line.integer("apiErrorStatus"))
    let isSure = ["billing_error", "max_output_tokens"].contains(kind)
    self.init(
      call: words, code: status == nil || isSure ? kind.flatMap { Self.codes[$0] } : nil,
      kind: line.string("apiErrorType") ?? kind, status: status)
  }

  /// Creates the failure of the given error of a call that Claude Code makes again.
  fileprivate init(claudeRetry error: JSONObject?) {
    let connection = error?.object("connection")?.string("code")
    // Earlier versions have the body of the response.
    let inner = error?.object("error")
    let body = inner?.object("error") ?? inner
    let words = error?.string("message") ?? body?.string("message") ?? ""
    let isConnection = connection != nil && error?.integer("status") == nil
    self.init(
      call: words,
      code: connection.flatMap { Self.codes[$0] } ?? (isConnection ? .networkUnavailable : nil),
      kind: connection ?? body?.string("type"), status: error?.integer("status"))
    if let shown = error?.string("formatted") { explanation = shown }
  }
}

extension SessionRetry {
  /// Creates the description of the given line of output about a call that Claude Code makes again.
  init(claudeOutput line: JSONObject) {
    self.init(
      after: Failure(call: "", kind: line.string("error"), status: line.integer("error_status")),
      number: line.count("attempt"), of: line.count("max_retries"))
  }

  /// Creates the description of the given line about a call that Claude Code makes again.
  public init(claude line: JSONObject) {
    self.init(
      after: Failure(claudeRetry: line.object("error")), number: line.count("retryAttempt"),
      of: line.count("maxRetries"))
  }
}
