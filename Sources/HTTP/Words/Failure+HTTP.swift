public import Core

extension Failure {
  /// Creates the failure that corresponds to the given unsuccessful status.
  ///
  /// - Parameters:
  ///   - httpStatus: The status of the response.
  ///   - head: The head of the response, which may contain `Retry-After`.
  ///   - url: The requested URL. It is stored without userinfo, query and fragment.
  ///   - message: The peer's message. It is stored on one line.
  public init(httpStatus: Int, head: HTTPHead, url: String, message: String?) {
    let shown = Failure.shownURL(url)
    let wait = RetryAfter.seconds(head)
    let words = message?.singleLine(maximumCharacters: 500)
    var sentence = "'\(shown)' answered \(httpStatus)"
    if let words, !words.isEmpty { sentence += ": \(words)" }
    self.init(
      FailureCode(httpStatus: httpStatus, hasRetryAfter: wait != nil), sentence,
      retryAfterSeconds: wait, status: httpStatus, url: shown, cause: words)
  }

  /// Returns the given URL without userinfo, query and fragment, because these may contain secrets.
  public static func shownURL(_ url: String) -> String {
    let bare = ShownURL.withoutUserinfo(url).utf8.prefix { $0 != 0x3F && $0 != 0x23 }
    return Visible.text(
      String(decoding: bare, as: UTF8.self).singleLine(maximumCharacters: 300))
  }

  /// The failure that reports a transfer whose task was cancelled.
  static var cancelledTransfer: Failure {
    Failure(.interrupted, "the request was cancelled")
  }
}

extension FailureCode {
  /// Creates the failure code that corresponds to the given unsuccessful status.
  init(httpStatus: Int, hasRetryAfter: Bool) {
    switch httpStatus {
    case 400, 413, 422: self = .badInput
    case 401: self = .missingAPIKey
    case 402: self = .quotaExhausted
    case 403, 451: self = .permissionDenied
    case 404, 410: self = .notFound
    case 408, 504: self = .timeout
    case 429: self = .rateLimited
    case 529: self = .overloaded
    case 503 where hasRetryAfter: self = .overloaded
    default: self = .serverError
    }
  }
}

extension String {
  /// Returns the text without control characters and with single spaces, cut to the given length.
  func singleLine(maximumCharacters: Int) -> String {
    // The text is cut by bytes first, because the text of a peer, or a single character, may be
    // megabytes long.
    let start = String(decoding: utf8.prefix(maximumCharacters * 4), as: UTF8.self)
    let words = start.split {
      $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7F }
    }
    let text = words.joined(separator: " ")
    let isCut = start.utf8.count < utf8.count || text.count > maximumCharacters
    return isCut ? text.prefix(maximumCharacters) + "…" : text
  }
}
