import Core
import HTTP

/// An error that a provider reports in a body or a stream.
///
/// Anthropic and OpenAI send `{"error":{"type","message","code"}}`. Other servers send a bare text,
/// or an object with these members.
struct ProviderError: Sendable, Hashable {
  var type: String?
  var code: String?
  /// The name of the request's member that the error is about; only OpenAI reports it.
  var param: String?
  var message: String?

  /// Reads the error in the given response body.
  ///
  /// The body is an object or, as Gemini sends it, an array that begins with one.
  init(body: [UInt8]) {
    let text = String(decoding: body, as: UTF8.self)
    self.init(JSONObject(body) ?? JSONObject("{\"list\":\(text)}")?.objects("list").first)
  }

  init(_ data: JSONObject?) {
    let error = data?.object("error") ?? data
    // A server may send back the received key in any member.
    type = error?.string("type").flatMap { $0 == "error" ? nil : Secrets.redacted($0) }
    code = error?.word("code").map(Secrets.redacted)
    param = error?.string("param").map(Secrets.redacted)
    message = (error?.string("message") ?? data?.string("error") ?? data?.string("detail"))
      .map(Secrets.redacted)
  }

  /// The names that the error mentions.
  ///
  /// `param` comes first, then the words between backticks or quotes.
  var rejection: Rejection {
    let message = String((message ?? "").prefix(2000))
    // Apostrophes look like quotes, so each piece between two of them may be a name.
    let pieces = ["`", "'", "\""].flatMap { message.split(separator: $0).map(String.init) }
    let names = ([param].compactMap(\.self) + pieces).filter { $0.utf8.count <= 64 }
    let isRenamed = code == "unsupported_parameter" || message.contains("instead")
    let limits = ["max_tokens", "max_completion_tokens"]
    return Rejection(
      names: names.map { isRenamed && limits.contains($0) ? OptionalMember.renamed($0) : $0 },
      isForGood: isForGood, isBoundBlock: isBoundBlock)
  }

  private var isForGood: Bool {
    let codes = ["unsupported_parameter", "unsupported_value", "unknown_parameter"]
    if let code, codes.contains(code) { return true }
    let words = [
      "deprecated", "support", "unknown", "unrecognized", "unexpected", "not permitted",
      "not allowed", "extra inputs",
    ]
    let message = (message ?? "").lowercased()
    return words.contains { message.contains($0) }
  }

  private var isBoundBlock: Bool {
    if code == "invalid_encrypted_content" { return true }
    let message = message ?? ""
    return message.contains("block is bound to")
      || (message.contains("thinking")
        && (message.contains("signature") || message.contains("cannot be modified")))
  }

  /// Returns the failure for an error that was reported inside a stream with status 200.
  func failure(inStreamOf source: String) -> Failure {
    var failure = self.failure(
      status: equivalentStatus, head: HTTPHead(status: equivalentStatus), url: source)
    // The actual status of the response is 200.
    failure.status = nil
    failure.explanation = "'\(failure.url ?? source)' broke off its answer"
    if let words = failure.cause ?? failure.kind?.rawValue { failure.explanation += ": \(words)" }
    return failure
  }

  /// Returns the failure that corresponds to an unsuccessful status.
  func failure(status: Int, head: HTTPHead, url: String) -> Failure {
    var failure = Failure(httpStatus: status, head: head, url: url, message: message)
    if isQuota {
      failure.code = .quotaExhausted
      failure.retryAfterSeconds = nil
    } else if isOverload {
      failure.code = .overloaded
    } else if failure.code == .badInput {
      if isRefusal {
        failure.code = .modelRefused
      } else if matches(["unknown_model", "unavailable_model", "model_not_found"]) {
        failure.code = .notFound
      }
    } else if failure.code == .missingAPIKey, matches(["expired_token", "token_expired"]) {
      failure.code = .authExpired
    }
    failure.kind = failure.code == .modelRefused ? .contentFilter : kind
    if failure.code == .missingAPIKey {
      let words = failure.cause.map { ": \($0)" } ?? ""
      failure.explanation = "'\(failure.url ?? url)' refused the API key\(words)"
    } else if failure.code == .modelRefused {
      let words = failure.cause.map { ": \($0)" } ?? ""
      failure.explanation = "'\(failure.url ?? url)' declined to answer\(words)"
    }
    return failure
  }

  /// The provider's own code for the error, if it is a single word.
  private var kind: FailureKind? {
    (type == "invalid_request_error" ? code ?? type : type ?? code).flatMap { word in
      let isWord =
        word.utf8.count <= 64
        && word.utf8.allSatisfy {
          $0.isLetter || $0.isDigit || $0 == 0x5F
        }
      return isWord && Int(word) == nil ? FailureKind(rawValue: camelCase(word)) : nil
    }
  }

  private func camelCase(_ word: String) -> String {
    let parts = word.split(separator: "_")
    // Azure and GitHub use words such as `DeploymentNotFound`.
    let first = parts.first.map { word in
      word.utf8.allSatisfy { !$0.isLetter || $0.isCapital }
        ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
    }
    return (first ?? "")
      + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// `true` if a spending limit was reached, so that waiting does not help.
  private var isQuota: Bool {
    let words: Set = [
      "insufficient_quota", "credit_balance_exhausted", "billing_error",
      "organization_spend_limit_exceeded", "project_spend_limit_exceeded",
      "organization_usage_limit_exceeded",
    ]
    return matches(words)
  }

  private var isOverload: Bool {
    matches(["overloaded_error", "server_is_overloaded", "slow_down"])
  }

  /// `true` if a filter refused the request before a model received it.
  private var isRefusal: Bool {
    let words: Set = [
      "content_policy_violation", "moderation_blocked", "content_filter", "contentfilter",
      "responsibleaipolicyviolation",
    ]
    return [type, code].contains { $0.map { words.contains($0.lowercased()) } ?? false }
  }

  private func matches(_ words: Set<String>) -> Bool {
    [type, code].contains { $0.map(words.contains) ?? false }
  }

  /// The status that corresponds to an error inside a stream.
  private var equivalentStatus: Int {
    if let code, let status = Int(code), (400...599).contains(status) { return status }
    return code.flatMap { Self.statuses[$0] } ?? type.flatMap { Self.statuses[$0] } ?? 500
  }

  private static let statuses = [
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402,
    "permission_error": 403, "not_found_error": 404, "request_too_large": 413,
    "rate_limit_error": 429, "api_error": 500, "timeout_error": 504, "overloaded_error": 529,
    "invalid_api_key": 401, "model_not_found": 404, "rate_limit_exceeded": 429,
    "insufficient_quota": 429, "server_error": 500, "server_is_overloaded": 503,
    "slow_down": 429, "requests": 429, "tokens": 429, "content_filter": 400,
  ]
}
