import NIOCore

/// One side of an open connection in its channel, and the only handler that is left there: 10,000
/// connections that are silent should cost little.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// How far the connection is from its end.
  enum Phase {
    case open
    /// Our Close frame is sent, the peer's has not come.
    case closing
    /// All is said; what still comes is thrown away until the peer closes its side.
    case ended
  }

  let isServer: Bool
  let limits: WebSocketLimits
  var phase = Phase.open
  /// When something came last.
  var lastHeard = NIODeadline.now()
  /// How it ended, once that is told.
  var closure: WebSocketClosure?

  var onText: ((ByteBuffer) -> Void)?
  var onBinary: ((ByteBuffer) -> Void)?
  var onPong: ((ByteBuffer) -> Void)?
  var onClosed: ((WebSocketClosure) -> Void)?
  var onWritabilityChanged: ((Bool) -> Void)?
  /// Called whenever bytes come.
  var onBytes: (() -> Void)?

  private(set) var context: ChannelHandlerContext?
  private var reader: WebSocketFrameReader
  /// What came and is not read: the start of a header, or all that came since a pause.
  private var held: ByteBuffer?
  private var isPaused = false
  /// A read that was asked for during a pause.
  private var owesRead = false
  private var isReading = false
  private var owesFlush = false
  /// The last ping that could not be answered yet: only that one has to be (section 5.5.3).
  private var owedPong: ByteBuffer?
  var timer: Scheduled<Void>?
  /// Why the channel will be gone, as far as it was told.
  var lostBecause: String?

  /// A side of a connection whose handshake is done.
  init(isServer: Bool, limits: WebSocketLimits) {
    self.isServer = isServer
    self.limits = limits
    reader = WebSocketFrameReader(ofClient: isServer, limit: limits.messageBytes)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    lose()
    self.context = nil
  }

  // MARK: What comes

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lastHeard = .now()
    onBytes?()
    guard phase != .ended else { return }
    let input = unwrapInboundIn(data)
    if held == nil { held = input } else { held?.writeImmutableBuffer(input) }
    work()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    flushOwed()
    context.fireChannelReadComplete()
  }

  func read(context: ChannelHandlerContext) {
    guard !isPaused else {
      owesRead = true
      return
    }
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    let isWritable = context.channel.isWritable
    if isWritable, let payload = owedPong {
      owedPong = nil
      send(.pong, payload)
    }
    onWritabilityChanged?(isWritable)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    lose()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // A peer that closes its side without a Close frame is gone, and would not be told of for a while.
    if let event = event as? ChannelEvent, event == .inputClosed, phase != .ended {
      return context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    lostBecause = lostBecause ?? "\(error)"
    context.close(promise: nil)
  }

  /// Reads what is held, until a handler of messages asks for a pause.
  private func work() {
    guard !isReading else { return }
    isReading = true
    while !isPaused, phase != .ended, var input = held {
      // Handlers may do anything, so that nothing is half done while they run.
      held = nil
      do throws(WebSocketFault) {
        let event = try reader.next(&input)
        if input.readableBytes > 0 { held = input }
        guard let event else { break }
        take(event)
      } catch {
        refuse(error)
      }
    }
    isReading = false
    // The start of a header should not keep a buffer alive that is a thousand times as large.
    if let rest = held, !isPaused { held = ByteBuffer(bytes: rest.readableBytesView) }
  }

  private func take(_ event: WebSocketFrameReader.Event) {
    switch event {
    case .close(let code, let reason): takeClose(code, reason)
    case _ where phase != .open: break
    case .text(let payload): onText?(payload)
    case .binary(let payload): onBinary?(payload)
    case .pong(let payload): onPong?(payload)
    case .ping(let payload):
      if context?.channel.isWritable ?? false {
        send(.pong, payload)
      } else {
        owedPong = payload
      }
    }
  }

  /// Forgets what is not read.
  func forget() {
    held = nil
  }

  // MARK: Reading no more for a while

  func pause() {
    isPaused = true
  }

  func resume() {
    guard isPaused else { return }
    isPaused = false
    work()
    flushOwed()
    if owesRead, !isPaused {
      owesRead = false
      context?.read()
    }
  }

  // MARK: What goes

  /// Sends one frame; what is sent while input is read goes with all of it at once.
  func send(
    _ opcode: WebSocketFrameHeader.Opcode, _ payload: ByteBuffer,
    promise: EventLoopPromise<Void>? = nil
  ) {
    guard let context else {
      promise?.fail(ChannelError.alreadyClosed)
      return
    }
    var header = WebSocketFrameHeader(opcode: opcode, length: payload.readableBytes)
    if !isServer { header.mask = UInt32.random(in: 0...UInt32.max) }
    var frame = context.channel.allocator.buffer(capacity: header.size + header.length)
    header.append(to: &frame)
    let start = frame.writerIndex
    frame.writeImmutableBuffer(payload)
    if let mask = header.mask, header.length > 0 {
      frame.withUnsafeMutableReadableBytes { bytes in
        let payload = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        WebSocketMask.apply(mask, from: 0, to: payload)
      }
    }
    write(frame, promise: promise)
  }

  /// Writes frames as they are.
  func write(_ frames: ByteBuffer, promise: EventLoopPromise<Void>? = nil) {
    guard let context else {
      promise?.fail(ChannelError.alreadyClosed)
      return
    }
    if isReading {
      context.write(wrapOutboundOut(frames), promise: promise)
      owesFlush = true
    } else {
      context.writeAndFlush(wrapOutboundOut(frames), promise: promise)
    }
  }

  private func flushOwed() {
    guard owesFlush, !isReading else { return }
    owesFlush = false
    context?.flush()
  }
}
