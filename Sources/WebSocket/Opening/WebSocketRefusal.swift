public import Core
public import NIOHTTP1

/// The response to a refused handshake.
public struct WebSocketRefusal: Error, Sendable {
  /// The status, which is not 101.
  public var status: HTTPResponseStatus
  /// The header fields except `Content-Length` and `Connection`, which are always added.
  public var headers: HTTPHeaders
  /// The body.
  public var body: [UInt8]

  /// Creates a response with a body.
  public init(status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// Creates a response whose body is the failure as an `error` record.
  public init(status: HTTPResponseStatus, failure: Failure, headers: HTTPHeaders = [:]) {
    var told = failure
    told.status = Int(status.code)
    // A failure that cannot be encoded is expressed by the status alone.
    let line = (try? ErrorRecord(told, tool: nil).line()) ?? []
    var headers = headers
    headers.replaceOrAdd(name: "content-type", value: "application/json")
    self.init(status: status, headers: headers, body: line + [0x0A])
  }
}

/// The decision on a handshake.
public enum WebSocketDecision: Sendable {
  /// An accepted handshake, with additional header fields for the response.
  case accept(headers: HTTPHeaders)
  /// A refused handshake.
  case refuse(WebSocketRefusal)
}
