public import Core
public import HTTP

extension Failure {
  /// What an answer without success tells: the words and the code of its body, else what its status
  /// stands for.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - url: The URL that was asked.
  public init(companion response: HTTPResponse, url: String) {
    let status = response.head.status
    let object = JSONObject(response.body)
    self.init(
      httpStatus: status, head: response.head, url: url, message: object?.string("error"))
    if let text = object?.string("error") {
      // The words are the explanation, not beside it.
      (explanation, cause) = (Visible.line(String(text.prefix(1000))), nil)
    }
    if (200..<400).contains(status) {
      code = object?.string("error") == nil ? .protocolMismatch : .serverError
    }
    if let code = FailureCode(companion: response) {
      self.code = code
      return
    }
    // A host of the first version names no codes.
    switch status {
    case 400 where url.hasSuffix("/pairing/complete"): code = .pairingCodeInvalid
    case 401 where url.hasSuffix("/pairing/complete"): code = .pairingCodeInvalid
    case 401: code = .authExpired
    case 409: code = .conflict
    case 410: code = .pairingCodeExpired
    default: break
    }
  }

  /// An answer that is not what was asked for.
  ///
  /// - Parameter url: The URL that was asked.
  /// - Returns: The failure.
  static func otherAnswer(_ url: String) -> Failure {
    let shown = Failure.shownURL(url)
    return Failure(
      .protocolMismatch, "'\(shown)' sent an unexpected answer", url: shown)
  }
}

extension FailureCode {
  /// A code that a host tells; nil for one that is not of the table.
  ///
  /// Nobody but this tool's own user interrupts it.
  init?(told text: String) {
    self.init(rawValue: text)
    if self == .interrupted { self = .streamInterrupted }
  }

  /// The code that the body of an answer tells; nil for one that is not of the table.
  init?(companion response: HTTPResponse) {
    guard let text = JSONObject(response.body)?.string("code") else { return nil }
    self.init(told: text)
  }
}
