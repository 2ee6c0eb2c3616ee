import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import WebSocket

/// A connection to a hub.
///
/// It speaks HTTP/1.1, or a WebSocket if the first request asks for that.
struct HubChannel: ServerChildChannel {
  typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  /// The outcome of a connection.
  struct Value: ServerChildChannelValue {
    let channel: any Channel
    let first: EventLoopFuture<WebSocketUpgradeResult<Parts>>
  }

  /// The decision on a handshake, and the visitor that requested the handshake.
  typealias Decision = (decision: WebSocketDecision, visitor: Visitor?)

  /// All connections of the hub, including this one.
  let connections: HubConnections
  /// The handler of requests.
  let http: HTTP1Channel
  /// The function that decides on a handshake.
  let shouldUpgrade: @Sendable (HTTPRequestHead, any Channel) -> EventLoopFuture<Decision>
  /// The function that receives a WebSocket when it is open.
  let opened: @Sendable (WebSocketConnection, HTTPRequestHead, Visitor?) -> Void

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    connections.add(channel)
    let visitor = NIOLoopBoundBox<Visitor?>.makeBoxSendingValue(nil, eventLoop: channel.eventLoop)
    let server = WebSocketServer { head, channel in
      shouldUpgrade(head, channel).map { decided in
        visitor.value = decided.visitor
        return decided.decision
      }
    } opened: { connection, head in
      connections.setEndless(channel)
      opened(connection, head, visitor.value)
    } http: { channel in
      let operations = channel.pipeline.syncOperations
      try operations.addHandler(BodyFraming())
      try operations.addHandler(TargetHost())
      try operations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
      try operations.addHandler(connections.watch(channel))
      try operations.addHandler(
        HTTPConnectionStateHandler(idleTimeout: .seconds(60), logger: logger))
      return try Parts(
        wrappingChannelSynchronously: channel,
        configuration: .init(isOutboundHalfClosureEnabled: true))
    }
    return channel.eventLoop.makeCompletedFuture {
      Value(channel: channel, first: try server.configure(channel))
    }
  }

  func handle(value: Value, logger: Logger) async {
    guard let first = try? await value.first.get() else { return }
    switch first {
    case .http(let parts): await http.handle(value: parts, logger: logger)
    case .opened, .refused: try? await value.channel.closeFuture.get()
    }
  }
}
