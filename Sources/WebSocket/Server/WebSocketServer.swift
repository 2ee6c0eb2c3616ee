public import NIOCore
public import NIOHTTP1

/// What became of a connection's first request.
public enum WebSocketUpgradeResult<HTTP: Sendable>: Sendable {
  /// It opened a WebSocket.
  case opened(WebSocketConnection)
  /// It asked for one and did not get it; the connection is about to close.
  case refused
  /// It did not ask for one; the connection stays with HTTP.
  case http(HTTP)
}

/// Makes of a server's new connection a WebSocket, or HTTP/1.1, by its first request.
///
///     let server = WebSocketServer(
///       shouldUpgrade: { head, channel in … },
///       opened: { connection, head in connection.onText = … },
///       http: { channel in try NIOAsyncChannel(wrappingChannelSynchronously: channel) })
///     let first = try server.configure(channel)
public struct WebSocketServer<HTTP: Sendable>: Sendable {
  /// What is taken of clients.
  public var limits = WebSocketLimits()
  /// What is taken of the heads of requests.
  public var headLimits = NIOHTTPDecoderLimitConfiguration()

  let shouldUpgrade: @Sendable (HTTPRequestHead, any Channel) -> EventLoopFuture<WebSocketDecision>
  let opened: @Sendable (WebSocketConnection, HTTPRequestHead) -> Void
  let http: @Sendable (any Channel) throws -> HTTP

  /// A server that asks all of this on a connection's event loop.
  ///
  /// - Parameters:
  ///   - shouldUpgrade: Decides on a handshake that is well by itself: a path, an origin, a token.
  ///   - opened: Takes an open connection, before anything is read of it.
  ///   - http: Adds the handlers of what comes and goes as parts of HTTP messages, for a connection
  ///     whose first request asks for no WebSocket; that request is the first that they get.
  public init(
    shouldUpgrade:
      @escaping @Sendable (HTTPRequestHead, any Channel) -> EventLoopFuture<WebSocketDecision>,
    opened: @escaping @Sendable (WebSocketConnection, HTTPRequestHead) -> Void,
    http: @escaping @Sendable (any Channel) throws -> HTTP
  ) {
    (self.shouldUpgrade, self.opened, self.http) = (shouldUpgrade, opened, http)
  }

  /// Adds the handlers to a new connection, on its event loop.
  ///
  /// - Parameter channel: A connection whose bytes are HTTP/1.1; TLS is under it already.
  /// - Returns: What becomes of it; it fails when the connection ends before its first request.
  /// - Throws: What adding handlers to a channel that is closed throws.
  public func configure(
    _ channel: any Channel
  ) throws -> EventLoopFuture<WebSocketUpgradeResult<HTTP>> {
    let result = channel.eventLoop.makePromise(of: WebSocketUpgradeResult<HTTP>.self)
    let encoder = HTTPResponseEncoder()
    let decoder = ByteToMessageHandler(
      HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: headLimits))
    do {
      let operations = channel.pipeline.syncOperations
      try operations.addHandler(encoder)
      try operations.addHandler(decoder)
      try operations.addHandler(
        WebSocketUpgradeHandler(self, encoder: encoder, decoder: decoder, result: result))
    } catch {
      result.fail(error)
      throw error
    }
    return result.futureResult
  }
}
