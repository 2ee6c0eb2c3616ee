public import Core
public import HTTP

extension Failure {
  /// Creates the failure that an unsuccessful response reports.
  ///
  /// It has the text and the code in the response's body. Without them, it depends on the status.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - url: The requested URL.
  public init(companion response: HTTPResponse, url: String) {
    let status = response.head.status
    let object = JSONObject(response.body)
    self.init(
      httpStatus: status, head: response.head, url: url, message: object?.string("error"))
    if let text = object?.string("error") {
      // The host's text becomes the explanation, not the cause.
      (explanation, cause) = (Visible.line(String(text.prefix(1000))), nil)
      nextStep = object?.string("action").map { Visible.line(String($0.prefix(200))) }
    }
    if (200..<400).contains(status) {
      code = object?.string("error") == nil ? .protocolMismatch : .serverError
    }
    if let code = FailureCode(companion: response) {
      self.code = code
      return
    }
    // Hosts of the first version send no codes.
    switch status {
    case 400 where url.hasSuffix("/pairing/complete"): code = .pairingCodeInvalid
    case 401 where url.hasSuffix("/pairing/complete"): code = .pairingCodeInvalid
    case 401: code = .authExpired
    case 409: code = .conflict
    case 410: code = .pairingCodeExpired
    default: break
    }
  }

  /// Returns the failure that reports an unexpected response from the given URL.
  ///
  /// - Parameter url: The requested URL.
  /// - Returns: The failure.
  static func otherAnswer(_ url: String) -> Failure {
    let shown = Failure.shownURL(url)
    return Failure(
      .protocolMismatch, "'\(shown)' sent an unexpected answer", url: shown)
  }
}

extension FailureCode {
  /// Creates the code with the name that a host sent; returns nil if the name is unknown.
  ///
  /// A host's `interrupted` becomes `streamInterrupted`, because `interrupted` means that the user
  /// of this tool interrupted it.
  init?(fromHost text: String) {
    self.init(rawValue: text)
    if self == .interrupted { self = .streamInterrupted }
  }

  /// Creates the code that the body of the given response names; returns nil if the name is
  /// unknown.
  init?(companion response: HTTPResponse) {
    guard let text = JSONObject(response.body)?.string("code") else { return nil }
    self.init(fromHost: text)
  }
}
