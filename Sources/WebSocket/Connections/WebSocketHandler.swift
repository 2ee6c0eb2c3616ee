import NIOCore

/// One side of an open connection, as the only handler in its channel.
///
/// A single handler is used so that 10,000 idle connections cost little.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The phase of a connection.
  enum Phase {
    case open
    /// This side has sent a Close frame and waits for the peer's.
    case closing
    /// No more frames are expected.
    ///
    /// Input is discarded until the peer closes its side.
    case ended
  }

  let isServer: Bool
  let limits: WebSocketLimits
  var phase = Phase.open
  /// The time at which bytes last arrived.
  var lastHeard = NIODeadline.now()
  /// The code and the reason with which the connection ended; nil until they are reported.
  var closure: WebSocketClosure?

  var onText: ((ByteBuffer) -> Void)?
  var onBinary: ((ByteBuffer) -> Void)?
  var onPong: ((ByteBuffer) -> Void)?
  var onClosed: ((WebSocketClosure) -> Void)?
  var onWritabilityChanged: ((Bool) -> Void)?
  /// The handler of arriving bytes.
  var onBytes: (() -> Void)?

  private(set) var context: ChannelHandlerContext?
  private var reader: WebSocketFrameReader
  /// The bytes that were received but not yet read.
  ///
  /// They are the first part of a frame, or all input since a pause.
  private var held: ByteBuffer?
  private var isPaused = false
  /// `true` if a read was requested during a pause.
  private var owesRead = false
  private var isReading = false
  private var owesFlush = false
  /// The payload of the last unanswered ping.
  ///
  /// Earlier pings need no pong (section 5.5.3).
  private var owedPong: ByteBuffer?
  var timer: Scheduled<Void>?
  /// The reason why the channel ended; nil if unknown.
  var lostBecause: String?

  /// Creates one side of a connection, after the handshake.
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

  // MARK: Input

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
    // A peer that closes its side without a Close frame is gone. Without this, its end would be
    // reported much later.
    if let event = event as? ChannelEvent, event == .inputClosed, phase != .ended {
      return context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    lostBecause = lostBecause ?? "\(error)"
    context.close(promise: nil)
  }

  /// Reads the held bytes until no complete frame is left or a handler requests a pause.
  private func work() {
    guard !isReading else { return }
    isReading = true
    while !isPaused, phase != .ended, var input = held {
      // A handler may call any method, so the state must be consistent before each call.
      held = nil
      do throws(WebSocketFault) {
        let event = try reader.next(&input)
        if input.readableBytes > 0 { held = input }
        guard let event else { break }
        receive(event)
      } catch {
        refuse(error)
      }
    }
    isReading = false
    // The rest is copied, because a few bytes must not hold a buffer a thousand times as large in
    // memory.
    if let rest = held, !isPaused { held = ByteBuffer(bytes: rest.readableBytesView) }
  }

  private func receive(_ event: WebSocketFrameReader.Event) {
    switch event {
    case .close(let code, let reason): receiveClose(code, reason)
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

  /// Discards the input that was not read yet.
  func forget() {
    held = nil
  }

  // MARK: Pausing

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

  // MARK: Output

  /// Sends a frame.
  ///
  /// Frames that are sent while input is read are flushed together afterwards.
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

  /// Writes the given encoded frames.
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
