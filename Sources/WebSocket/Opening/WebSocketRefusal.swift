public import Core
public import NIOHTTP1

/// The response that refuses a handshake.
public struct WebSocketRefusal: Error, Sendable {
  /// The status, which must not be 101.
  public var status: HTTPResponseStatus
  /// The header fields.
  ///
  /// `Content-Length` and `Connection` are added to them.
  public var headers: HTTPHeaders
  /// The body.
  public var body: [UInt8]

  /// Creates a response with the given body.
  public init(status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// Creates a response whose body is the given failure as an `error` record.
  public init(status: HTTPResponseStatus, failure: Failure, headers: HTTPHeaders = [:]) {
    var told = failure
    told.status = Int(status.code)
    // If the failure cannot be encoded, the body is empty.
    let line = (try? ErrorRecord(told, tool: nil).line()) ?? []
    var headers = headers
    headers.replaceOrAdd(name: "content-type", value: "application/json")
    self.init(status: status, headers: headers, body: line + [0x0A])
  }
}

/// The decision to accept or refuse a handshake.
public enum WebSocketDecision: Sendable {
  /// The handshake is accepted, with additional header fields in the response.
  case accept(headers: HTTPHeaders)
  /// The handshake is refused with the given response.
  case refuse(WebSocketRefusal)
}
