public import Core
import Foundation

/// The failures of turns that Codex reports.
extension Failure {
  /// The codes of the kinds of failures; nil if the status of the response decides.
  private static let codes: [String: FailureCode] = [
    "bad_request": .badInput, "context_window_exceeded": .badInput, "cyber_policy": .modelRefused,
    "internal_server_error": .serverError, "response_stream_disconnected": .invalidResponse,
    "sandbox_error": .toolFailed, "server_overloaded": .overloaded,
    "session_budget_exceeded": .budgetExceeded, "unauthorized": .missingAPIKey,
    "usage_limit_exceeded": .rateLimited,
  ]
  /// The kinds of failures of a connection.
  private static let connections: Set = [
    "http_connection_failed", "response_stream_connection_failed",
  ]
  /// The words before the reason for which a provider ended an answer.
  private static let incomplete = "Incomplete response returned, reason: "

  /// Creates the failure of a turn with the given error.
  public init(codex error: JSONObject) {
    let words = error.string("message") ?? ""
    let details = error.object("codex_error_info")
    let kind = error.string("codex_error_info") ?? details?.names.first
    let status = kind.flatMap { details?.object($0)?.integer("http_status_code") }
    let reason = words.range(of: Self.incomplete).map { range in
      words[range.upperBound...].prefix { $0 != " " }
    }
    if let failure = Failure(endOfAnswer: reason.map(String.init)) {
      self = failure
      return
    }
    let isLost = kind.map(Self.connections.contains) ?? false && status == nil
    self.init(
      call: words, code: kind.flatMap { Self.codes[$0] } ?? (isLost ? .networkUnavailable : nil),
      kind: kind == "other" ? nil : kind, status: status)
  }
}

extension SessionRetry {
  /// Creates the description of the retry that the given words of Codex report; nil if they report
  /// none.
  public init?(codex words: String) {
    let form = /(?:Reconnecting\.\.\.|retrying) ([0-9]{1,4})\/([0-9]{1,4})/
    guard let match = words.prefix(2000).firstMatch(of: form) else { return nil }
    self.init(after: Failure(call: words), number: Int(match.1), of: Int(match.2))
  }
}
