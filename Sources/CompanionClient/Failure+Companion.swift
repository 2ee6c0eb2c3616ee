public import Core
public import HTTP

extension Failure {
  /// Creates the failure that an unsuccessful response reports: the text and code of its body, else
  /// the meaning of its status.
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
      // The host's text replaces the explanation instead of being its cause.
      (explanation, cause) = (Visible.line(String(text.prefix(1000))), nil)
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

  /// Returns the failure of an unexpected response.
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
  /// Creates a code from a host's text; returns nil if the failure table does not have it.
  ///
  /// Only the user of this tool interrupts it, so a host's `interrupted` becomes
  /// `streamInterrupted`.
  init?(told text: String) {
    self.init(rawValue: text)
    if self == .interrupted { self = .streamInterrupted }
  }

  /// Creates the code in a response body; returns nil if the failure table does not have it.
  init?(companion response: HTTPResponse) {
    guard let text = JSONObject(response.body)?.string("code") else { return nil }
    self.init(told: text)
  }
}
