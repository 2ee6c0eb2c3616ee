public import Core
public import NIOHTTP1

/// The answer to a handshake that does not come about.
public struct WebSocketRefusal: Error, Sendable {
  /// The status, which is not 101.
  public var status: HTTPResponseStatus
  /// Fields beside `Content-Length` and `Connection`, which are written anyway.
  public var headers: HTTPHeaders
  /// The body.
  public var body: [UInt8]

  /// An answer of that body.
  public init(status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// An answer whose body is the failure as an `error` record.
  public init(status: HTTPResponseStatus, failure: Failure, headers: HTTPHeaders = [:]) {
    var told = failure
    told.status = Int(status.code)
    // A failure that has no JSON is told by its status.
    let line = (try? ErrorRecord(told, tool: nil).line()) ?? []
    var headers = headers
    headers.replaceOrAdd(name: "content-type", value: "application/json")
    self.init(status: status, headers: headers, body: line + [0x0A])
  }
}

/// What becomes of a handshake.
public enum WebSocketDecision: Sendable {
  /// It comes about; the fields stand in the answer beside those of the handshake.
  case accept(headers: HTTPHeaders)
  /// It does not.
  case refuse(WebSocketRefusal)
}
