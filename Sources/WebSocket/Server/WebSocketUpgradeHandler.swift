import Core
import NIOCore
import NIOHTTP1

/// A handler that sets up the protocol that the first request asks for.
///
/// It then removes itself.
///
/// NIO's upgrade handler is not used, because it loses the head of a request for an unknown
/// protocol and does not respond to a handshake that it refuses.
final class WebSocketUpgradeHandler<HTTP: Sendable>: ChannelInboundHandler, RemovableChannelHandler
{
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum Phase {
    case waiting
    /// The handshake waits for two events: the decision on it, and the end of the request.
    case judging(HTTPRequestHead, accepted: HTTPHeaders?, hasEnd: Bool)
    /// The handshake is done.
    ///
    /// All further input belongs to the WebSocket.
    case upgrading
    case refused
  }

  private let server: WebSocketServer<HTTP>
  private let encoder: HTTPResponseEncoder
  private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
  private let result: EventLoopPromise<WebSocketUpgradeResult<HTTP>>
  private var phase = Phase.waiting
  private var early: [NIOAny] = []
  private var timer: Scheduled<Void>?

  init(
    _ server: WebSocketServer<HTTP>, encoder: HTTPResponseEncoder,
    decoder: ByteToMessageHandler<HTTPRequestDecoder>,
    result: EventLoopPromise<WebSocketUpgradeResult<HTTP>>
  ) {
    (self.server, self.encoder, self.decoder, self.result) = (server, encoder, decoder, result)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(
      in: .milliseconds(server.limits.requestMilliseconds)
    ) { channel.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    // If the promise has been fulfilled, this failure is ignored.
    result.fail(ChannelError.eof)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is HTTPParserError, case .waiting = phase {
      let failure = Failure(.badInput, "this is not a request of HTTP/1.1")
      refuse(WebSocketRefusal(status: .badRequest, failure: failure), context)
    } else if !(error is HTTPParserError) {
      context.close(promise: nil)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed {
      // A peer that closes its side during its request will not complete the request.
      switch phase {
      case .waiting, .judging: return context.close(promise: nil)
      case .upgrading, .refused: break
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch phase {
    // The decoder also stops at a request that it considers an upgrade, and passes on only bytes.
    case .upgrading: early.append(data)
    case .refused: break
    case .waiting:
      guard case .head(let head) = unwrapInboundIn(data) else { return }
      if !WebSocketHandshake.isRequested(by: head) {
        handOff(to: data, context)
      } else if let refusal = WebSocketHandshake.refusal(of: head) {
        refuse(refusal, context)
      } else {
        judge(head, context)
      }
    case .judging(let head, let accepted, _):
      guard case .end = unwrapInboundIn(data) else {
        let failure = Failure(.badInput, "the handshake has a body")
        return refuse(WebSocketRefusal(status: .badRequest, failure: failure), context)
      }
      phase = .judging(head, accepted: accepted, hasEnd: true)
      upgradeIfDue(context)
    }
  }

  /// Sets up HTTP and passes the first message to its handlers.
  private func handOff(to first: NIOAny, _ context: ChannelHandlerContext) {
    do {
      result.succeed(.http(try server.http(context.channel)))
    } catch {
      result.fail(error)
      return context.close(promise: nil)
    }
    context.fireChannelRead(first)
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  private func judge(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    phase = .judging(head, accepted: nil, hasEnd: false)
    let channel = context.channel
    server.shouldUpgrade(head, channel).hop(to: context.eventLoop).flatMap { decision in
      switch decision {
      case .accept(let headers):
        WebSocketHandshake.acceptance(of: head, headers: headers, channel: channel)
      case .refuse(let refusal): channel.eventLoop.makeFailedFuture(refusal)
      }
    }.assumeIsolated().whenComplete { result in
      // The handshake may have been refused or the connection lost meanwhile.
      guard case .judging(let head, _, let hasEnd) = self.phase, context.channel.isActive else {
        return
      }
      switch result {
      case .success(let headers):
        self.phase = .judging(head, accepted: headers, hasEnd: hasEnd)
        self.upgradeIfDue(context)
      case .failure(let refusal as WebSocketRefusal): self.refuse(refusal, context)
      case .failure:
        let failure = Failure(.serverError, "the handshake could not be checked")
        self.refuse(WebSocketRefusal(status: .internalServerError, failure: failure), context)
      }
    }
  }

  private func upgradeIfDue(_ context: ChannelHandlerContext) {
    guard case .judging(let head, let accepted?, true) = phase else { return }
    phase = .upgrading
    // The removed decoder passes on the bytes that follow the request.
    context.pipeline.syncOperations.removeHandler(decoder).assumeIsolated().flatMapThrowing {
      let answer = HTTPResponseHead(
        version: .http1_1, status: .switchingProtocols, headers: accepted)
      context.writeAndFlush(self.wrapOutboundOut(.head(answer)), promise: nil)
      try self.open(head, context)
    }.whenFailure { error in
      self.result.fail(error)
      context.close(promise: nil)
    }
  }

  private func open(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) throws {
    let operations = context.pipeline.syncOperations
    operations.removeHandler(encoder, promise: nil)
    let connection = try WebSocketConnection.add(
      isServer: true, limits: server.limits, after: self, of: context.channel)
    server.opened(connection, head)
    result.succeed(.opened(connection))
    for bytes in early { context.fireChannelRead(bytes) }
    if !early.isEmpty { context.fireChannelReadComplete() }
    early = []
    operations.removeHandler(self, promise: nil)
  }

  private func refuse(_ refusal: WebSocketRefusal, _ context: ChannelHandlerContext) {
    phase = .refused
    var headers = refusal.headers
    headers.replaceOrAdd(name: "content-length", value: "\(refusal.body.count)")
    headers.replaceOrAdd(name: "connection", value: "close")
    let head = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !refusal.body.isEmpty {
      context.write(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: refusal.body)))), promise: nil)
    }
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    result.succeed(.refused)
  }
}
