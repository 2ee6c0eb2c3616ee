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
      explanation = Visible.line(String(text.prefix(1000)))
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
}

extension FailureCode {
  /// The code that the body of an answer tells; nil for one that is not of the table.
  init?(companion response: HTTPResponse) {
    guard let text = JSONObject(response.body)?.string("code") else { return nil }
    self.init(rawValue: text)
  }
}
