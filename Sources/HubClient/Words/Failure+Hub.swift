public import Core
import Foundation
public import HTTP

extension Failure {
  /// Creates the failure that an unsuccessful response reports.
  ///
  /// It is the `error` record in the response's body. Without one, it depends on the status.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - url: The requested URL.
  public init(hub response: HTTPResponse, url: String) {
    let status = response.head.status
    let shown = Failure.shownURL(url)
    let object = JSONObject(response.body)
    if object?.string("type") == ErrorRecord.type,
      let code = object?.string("code").flatMap(FailureCode.init(rawValue:)),
      var failure = try? JSONDecoder().decode(Failure.self, from: Data(response.body))
    {
      failure.code = code
      failure.explanation = Visible.line(String(failure.explanation.prefix(1000)))
      failure.nextStep = failure.nextStep.map { Visible.line(String($0.prefix(200))) }
      (failure.status, failure.url) = (status, shown)
      self = failure
      return
    }
    self.init(httpStatus: status, head: response.head, url: url, message: nil)
    switch status {
    // The table of statuses is for providers, whose status 401 means a wrong key.
    case 401: code = .authExpired
    case 409: code = .conflict
    case 410: kind = .gone
    case 421: (code, kind) = (.badInput, .misdirected)
    case 426: code = .protocolMismatch
    default: break
    }
  }
}
