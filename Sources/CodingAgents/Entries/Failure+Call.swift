public import Core

/// Failures of model calls, in the words of the programs that made them.
extension Failure {
  /// The largest number of characters of a message that are searched.
  private static let searched = 2000
  /// The words about a request that is longer than the context of the model.
  private static let tooLong = [
    "prompt is too long", "context_length_exceeded", "context window", "maximum context length",
    "input is too long", "input token count", "request_too_large", "request too large",
  ]
  /// The words about other failures, the most certain first.
  private static let signs: [(words: [String], code: FailureCode)] = [
    (["usage policy"], .modelRefused),
    (["credit balance", "insufficient_quota", "billing"], .quotaExhausted),
    (["overloaded"], .overloaded),
    (["rate limit", "rate_limit", "usage limit", "quota", "resource_exhausted"], .rateLimited),
    (["api key", "unauthorized", "authentication", "/login"], .missingAPIKey),
    (["invalid_request"], .badInput),
    (["disconnected", "before the response", "stream ended", "cut off"], .invalidResponse),
    (["timed out", "timeout"], .timeout),
    (["connection", "network", "fetch failed"], .networkUnavailable),
  ]

  /// Creates the failure of a model call that a program reports.
  ///
  /// A request that is too long is `BadInput`: the same request never succeeds.
  ///
  /// - Parameters:
  ///   - words: The program's words.
  ///   - code: The code; nil to derive it from the status and the words.
  ///   - kind: The provider's or the program's own kind; nil to find it in the words.
  ///   - status: The HTTP status; nil to find it in the words.
  public init(
    call words: String, code: FailureCode? = nil, kind: String? = nil, status: Int? = nil
  ) {
    let text = words.prefix(Self.searched).lowercased()
    let error = Self.error(in: words)
    let status = status ?? error?.integer("code") ?? Self.status(in: text)
    let isTooLong = Self.tooLong.contains(where: text.contains)
    let found =
      code ?? (isTooLong ? .badInput : nil) ?? status.flatMap { FailureCode(ofCall: $0) }
      ?? Self.signs.first { $0.words.contains(where: text.contains) }?.code
    self.init(
      found ?? .serverError, words,
      kind: FailureKind(word: kind) ?? FailureKind(word: error?.string("code"))
        ?? FailureKind(word: error?.string("type")) ?? (found == .invalidResponse ? .cut : nil),
      status: status.flatMap { (400...599).contains($0) ? $0 : nil })
  }

  /// Creates the failure of an answer that ended for the given reason; nil if the answer is whole.
  init?(endOfAnswer reason: String?) {
    switch reason?.lowercased() ?? "" {
    case "refusal":
      self.init(.modelRefused, "the model declined to answer", kind: .refusal)
    case "content_filter", "content-filter", "safety", "recitation", "blocklist", "language",
      "prohibited_content", "spii", "image_safety":
      self.init(.modelRefused, "a filter of the provider ended the answer", kind: .contentFilter)
    case "max_tokens", "max_output_tokens", "length":
      self.init(.invalidResponse, "a limit of tokens ended the answer", kind: .cut)
    case "model_context_window_exceeded":
      self.init(.invalidResponse, "the answer filled the context of the model", kind: .cut)
    case "error", "malformed_function_call", "unexpected_tool_call":
      self.init(.invalidResponse, "an error of the model ended the answer", kind: .malformed)
    default: return nil
    }
  }

  /// The code, the HTTP status and the kind, without words, which may quote a person.
  public var outline: String {
    [code.rawValue, status.map { "status \($0)" }, kind?.rawValue].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// Returns the failure with its words cut at the limit of texts.
  func cut(_ limits: SessionLimits) -> Failure {
    var failure = self
    failure.explanation = limits.message(explanation)
    return failure
  }

  /// Returns the error object of a provider in the given words; nil if they contain none.
  private static func error(in words: String) -> JSONObject? {
    guard words.utf8.count <= searched * 4, let start = words.firstIndex(of: "{"),
      let end = words.lastIndex(of: "}"), start < end,
      let whole = JSONObject(String(words[start...end]))
    else { return nil }
    return whole.object("error") ?? whole
  }

  private static func status(in text: String) -> Int? {
    let form = /(?:(?:status|error|code)[^0-9]{0,12}|^|\()([45][0-9]{2})(?![0-9])/
    return text.firstMatch(of: form).flatMap { Int($0.1) }
  }
}

extension FailureCode {
  /// Creates the code for the HTTP status of a model call; nil if it is not one of a failure.
  fileprivate init?(ofCall status: Int) {
    switch status {
    case 400, 413, 422: self = .badInput
    case 401: self = .missingAPIKey
    case 402: self = .quotaExhausted
    case 403, 451: self = .permissionDenied
    case 404, 410: self = .notFound
    case 408, 504: self = .timeout
    case 429: self = .rateLimited
    case 529: self = .overloaded
    case 400...599: self = .serverError
    default: return nil
    }
  }
}

extension FailureKind {
  /// An answer that a filter of the provider ended.
  static let contentFilter = Self(rawValue: "contentFilter")
  /// An answer that is cut.
  static let cut = Self(rawValue: "cut")
  /// An answer that does not have its form.
  static let malformed = Self(rawValue: "malformed")
  /// A refusal of the model.
  static let refusal = Self(rawValue: "refusal")

  /// Creates the kind with a provider's or a program's name, such as `rate_limit_error`; nil if it
  /// is not a single word.
  init?(word: String?) {
    guard let word, (1...64).contains(word.utf8.count), Int(word) == nil,
      word.utf8.allSatisfy({ $0 == 0x5F || $0.isLetter || $0.isDigit })
    else { return nil }
    let parts = word.split(separator: "_")
    let rest = parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    guard let first = parts.first else { return nil }
    // The capital before a small letter begins a word, as in `APIError`.
    let capitals = first.prefix { $0.isUppercase }.count
    let head = first.prefix(capitals < first.count ? max(1, capitals - 1) : capitals)
    self.init(rawValue: head.lowercased() + first.dropFirst(head.count) + rest.joined())
  }
}
