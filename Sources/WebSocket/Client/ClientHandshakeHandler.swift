import Core
import NIOCore
import NIOHTTP1

/// The client's side of the opening handshake.
///
/// The handler requests a WebSocket. If the response accepts the request, it sets up the WebSocket
/// and removes itself.
final class ClientHandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private enum Phase {
    case waiting
    /// The response's head was accepted, but the parser has not yet reported the end of the
    /// response.
    case accepted
    /// The handshake is done.
    ///
    /// All further input belongs to the WebSocket.
    case upgrading
    case refused(HTTPResponseHead, body: [UInt8])
    case done
  }

  /// The largest number of bytes that are read of a refusal's body.
  private static let longestBody = 65_536

  private let request: HTTPRequestHead
  private let url: String
  private let limits: WebSocketLimits
  private let inbox: WebSocketInbox
  private let encoder: HTTPRequestEncoder
  private let decoder: ByteToMessageHandler<HTTPResponseDecoder>
  private var phase = Phase.waiting
  private var early: [NIOAny] = []
  private var isRequested = false

  init(
    _ request: HTTPRequestHead, url: String, limits: WebSocketLimits, inbox: WebSocketInbox,
    encoder: HTTPRequestEncoder, decoder: ByteToMessageHandler<HTTPResponseDecoder>
  ) {
    (self.request, self.url, self.limits) = (request, url, limits)
    (self.inbox, self.encoder, self.decoder) = (inbox, encoder, decoder)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { sendRequest(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    sendRequest(context)
    context.fireChannelActive()
  }

  private func sendRequest(_ context: ChannelHandlerContext) {
    guard !isRequested else { return }
    isRequested = true
    context.write(wrapOutboundOut(.head(request)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch phase {
    // The decoder also stops at a response that it considers an upgrade, and passes on only bytes.
    case .upgrading: early.append(data)
    case .done: break
    case .waiting:
      guard case .head(let head) = unwrapInboundIn(data) else { return }
      receive(head, context)
    case .accepted:
      guard case .end = unwrapInboundIn(data) else {
        return refuse("its answer has a body", context)
      }
      upgrade(context)
    case .refused(let head, var body):
      switch unwrapInboundIn(data) {
      case .head: break
      case .body(let bytes):
        body += bytes.readableBytesView.prefix(Self.longestBody - body.count)
        phase = .refused(head, body: body)
        if body.count >= Self.longestBody { endRefusal(context) }
      case .end: endRefusal(context)
      }
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    endRefusal(context)
    fail(ChannelError.eof, context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    endRefusal(context)
    fail(error, context)
  }

  private func receive(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
    guard head.status == .switchingProtocols else {
      phase = .refused(head, body: [])
      return
    }
    let key = request.headers.first(name: "sec-websocket-key") ?? ""
    let offered = request.headers.contains(name: "sec-websocket-protocol")
    var fault = WebSocketHandshake.fault(of: head, key: key)
    if fault == nil, !offered, head.headers.contains(name: "sec-websocket-protocol") {
      fault = "it names a subprotocol that was not requested"
    }
    if let fault { return refuse(fault, context) }
    phase = .accepted
  }

  private func refuse(_ fault: String, _ context: ChannelHandlerContext) {
    let failure = Failure(
      .invalidResponse, "'\(url)' does not speak WebSocket: \(fault)", kind: .protocol, status: 101,
      url: url)
    fail(failure, context)
  }

  private func upgrade(_ context: ChannelHandlerContext) {
    phase = .upgrading
    context.pipeline.syncOperations.removeHandler(decoder).assumeIsolated().flatMapThrowing {
      try self.open(context)
    }.whenFailure { self.fail($0, context) }
  }

  private func open(_ context: ChannelHandlerContext) throws {
    let operations = context.pipeline.syncOperations
    operations.removeHandler(encoder, promise: nil)
    let connection = try WebSocketConnection.add(
      isServer: false, limits: limits, after: self, of: context.channel)
    let inbox = inbox
    let queue = { (message: WebSocketMessage) in
      if inbox.offer(message) { connection.pause() }
    }
    connection.onText = { queue(.text(Array($0.readableBytesView))) }
    connection.onBinary = { queue(.binary(Array($0.readableBytesView))) }
    connection.onPong = { queue(.pong(Array($0.readableBytesView))) }
    connection.onClosed = { inbox.end($0) }
    connection.onBytes = { inbox.hear() }
    inbox.settle(.success(connection))
    phase = .done
    for bytes in early { context.fireChannelRead(bytes) }
    if !early.isEmpty { context.fireChannelReadComplete() }
    early = []
    operations.removeHandler(self, promise: nil)
  }

  private func endRefusal(_ context: ChannelHandlerContext) {
    guard case .refused(let head, let body) = phase else { return }
    fail(Failure(answer: head, body: body, url: url), context)
  }

  private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
    if case .done = phase { return }
    phase = .done
    inbox.settle(.failure(Failure(handshake: error, url: url)))
    context.close(promise: nil)
  }
}
