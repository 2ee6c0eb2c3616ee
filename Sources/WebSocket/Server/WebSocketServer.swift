public import NIOCore
public import NIOHTTP1

/// The outcome of the first request on a new connection.
public enum WebSocketUpgradeResult<HTTP: Sendable>: Sendable {
  /// The request opened a WebSocket.
  case opened(WebSocketConnection)
  /// The request was a handshake, and was refused.
  ///
  /// The connection is about to close.
  case refused
  /// The request did not ask for a WebSocket.
  ///
  /// The connection continues with HTTP.
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
  /// The limits for the head of a request.
  public var headLimits = NIOHTTPDecoderLimitConfiguration()

  let shouldUpgrade: @Sendable (HTTPRequestHead, any Channel) -> EventLoopFuture<WebSocketDecision>
  let opened: @Sendable (WebSocketConnection, HTTPRequestHead) -> Void
  let http: @Sendable (any Channel) throws -> HTTP

  /// Creates a server from functions that are called on the event loop of a connection.
  ///
  /// - Parameters:
  ///   - shouldUpgrade: A function that decides on a correct handshake, for example by its path,
  ///     origin or token.
  ///   - opened: A function that receives an open connection before anything is read from it.
  ///   - http: A function that adds HTTP handlers if the first request does not ask for a
  ///     WebSocket. That request is the first message that these handlers receive.
  public init(
    shouldUpgrade:
      @escaping @Sendable (HTTPRequestHead, any Channel) -> EventLoopFuture<WebSocketDecision>,
    opened: @escaping @Sendable (WebSocketConnection, HTTPRequestHead) -> Void,
    http: @escaping @Sendable (any Channel) throws -> HTTP
  ) {
    (self.shouldUpgrade, self.opened, self.http) = (shouldUpgrade, opened, http)
  }

  /// Adds the server's handlers to a new connection; must be called on the connection's event loop.
  ///
  /// - Parameter channel: The connection. It carries HTTP/1.1, with or without TLS.
  /// - Returns: The outcome of the first request; the future fails if the connection ends before
  ///   that request.
  /// - Throws: The error that is thrown if the channel is already closed.
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
