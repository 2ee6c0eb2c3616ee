public import NIOCore
public import NIOHTTP1

/// The outcome of a connection's first request.
public enum WebSocketUpgradeResult<HTTP: Sendable>: Sendable {
  /// A request that opened a WebSocket.
  case opened(WebSocketConnection)
  /// A handshake that was refused; the connection is about to close.
  case refused
  /// A request for no WebSocket; the connection continues with HTTP.
  case http(HTTP)
}

/// A server that turns a new connection into a WebSocket or HTTP/1.1, by its first request.
///
///     let server = WebSocketServer(
///       shouldUpgrade: { head, channel in … },
///       opened: { connection, head in connection.onText = … },
///       http: { channel in try NIOAsyncChannel(wrappingChannelSynchronously: channel) })
///     let first = try server.configure(channel)
public struct WebSocketServer<HTTP: Sendable>: Sendable {
  /// The limits for clients.
  public var limits = WebSocketLimits()
  /// The limits for the heads of requests.
  public var headLimits = NIOHTTPDecoderLimitConfiguration()

  let shouldUpgrade: @Sendable (HTTPRequestHead, any Channel) -> EventLoopFuture<WebSocketDecision>
  let opened: @Sendable (WebSocketConnection, HTTPRequestHead) -> Void
  let http: @Sendable (any Channel) throws -> HTTP

  /// Creates a server whose functions run on a connection's event loop.
  ///
  /// - Parameters:
  ///   - shouldUpgrade: Decides on a correct handshake, by its path, origin or token.
  ///   - opened: Receives an open connection before anything is read from it.
  ///   - http: Adds handlers of HTTP messages if the first request asks for no WebSocket; that
  ///     request is the first message they receive.
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
  /// - Parameter channel: A connection that carries HTTP/1.1, above TLS if there is any.
  /// - Returns: The outcome; it fails if the connection ends before its first request.
  /// - Throws: What adding handlers to a closed channel throws.
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
