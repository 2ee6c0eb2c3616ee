public import NIOCore

/// One side of an open WebSocket connection (RFC 6455), without extensions.
///
/// It answers pings, puts fragments together, checks what comes, and takes part in the closing
/// handshake by itself. What is called on another thread than the event loop's happens there soon;
/// the properties may be asked and set on the event loop alone, but for ``isWritable``.
///
/// The handlers are let go of when the connection ends, so that they may hold it.
public final class WebSocketConnection: Sendable {
  private let channel: any Channel
  private let bound: NIOLoopBound<WebSocketHandler>

  /// The side that the handler has in the channel, whose event loop this must be called on.
  init(_ handler: WebSocketHandler, channel: any Channel) {
    self.channel = channel
    bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
  }

  /// Adds the side to a channel whose handshake is done, on its event loop.
  static func add(
    isServer: Bool, limits: WebSocketLimits, after last: any ChannelHandler, of channel: any Channel
  ) throws -> WebSocketConnection {
    let marks = ChannelOptions.Types.WriteBufferWaterMark(
      low: limits.waitingBytesLow, high: limits.waitingBytesHigh)
    try channel.syncOptions?.setOption(.writeBufferWaterMark, value: marks)
    let handler = WebSocketHandler(isServer: isServer, limits: limits)
    try channel.pipeline.syncOperations.addHandler(handler, position: .after(last))
    return WebSocketConnection(handler, channel: channel)
  }

  // MARK: What it tells, on the event loop

  /// Called with each text, which is UTF-8 for certain.
  public var onText: ((ByteBuffer) -> Void)? {
    get { bound.value.onText }
    set { bound.value.onText = newValue }
  }

  /// Called with each message that is not text.
  public var onBinary: ((ByteBuffer) -> Void)? {
    get { bound.value.onBinary }
    set { bound.value.onBinary = newValue }
  }

  /// Called with what each pong carries.
  public var onPong: ((ByteBuffer) -> Void)? {
    get { bound.value.onPong }
    set { bound.value.onPong = newValue }
  }

  /// Called once, when nothing more will come: the peer closed, was refused, or is gone.
  public var onClosed: ((WebSocketClosure) -> Void)? {
    get { bound.value.onClosed }
    set { bound.value.onClosed = newValue }
  }

  /// Called when ``isWritable`` changed, with what it is.
  public var onWritabilityChanged: ((Bool) -> Void)? {
    get { bound.value.onWritabilityChanged }
    set { bound.value.onWritabilityChanged = newValue }
  }

  /// Called whenever bytes come, before they are read.
  var onBytes: (() -> Void)? {
    get { bound.value.onBytes }
    set { bound.value.onBytes = newValue }
  }

  // MARK: How it stands

  /// Where everything of the connection happens.
  public var eventLoop: any EventLoop { channel.eventLoop }

  /// Whether fewer bytes wait for the peer than its limits say; any thread may ask.
  public var isWritable: Bool { channel.isWritable }

  /// Whether messages may still be sent.
  public var isOpen: Bool { bound.value.phase == .open }

  /// How it ended, or nil.
  public var closure: WebSocketClosure? { bound.value.closure }

  /// How many bytes wait for the peer.
  public var waitingBytes: Int {
    // An embedded channel has no such option, and nothing waits there.
    (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  /// When bytes came last.
  public var lastHeard: NIODeadline { bound.value.lastHeard }

  /// Where the peer is.
  public var remoteAddress: SocketAddress? { channel.remoteAddress }

  /// Succeeds when the channel is closed, a while after ``onClosed``.
  public var closeFuture: EventLoopFuture<Void> { channel.closeFuture }

  // MARK: What is asked of it

  /// Sends a text.
  public func send(text: String) {
    send(.text, ByteBuffer(string: text))
  }

  /// Sends a text that is UTF-8 already.
  public func send(text: ByteBuffer) {
    send(.text, text)
  }

  /// Sends a message that is not text.
  public func send(binary: ByteBuffer) {
    send(.binary, binary)
  }

  /// Asks for a pong that carries the same.
  ///
  /// - Parameter payload: Up to 125 bytes; what is beyond is left out.
  public func ping(_ payload: ByteBuffer = ByteBuffer()) {
    let longest = min(payload.readableBytes, WebSocketFrameHeader.longestControl)
    let start = payload.getSlice(at: payload.readerIndex, length: longest)
    send(.ping, start ?? ByteBuffer())
  }

  /// Writes frames that ``appendTextFrame(_:to:)`` made, many at once, for a server's side.
  ///
  /// - Parameters:
  ///   - frames: Whole frames, unmasked.
  ///   - promise: Told when they are handed to the kernel, or that they never will be.
  public func write(frames: ByteBuffer, promise: EventLoopPromise<Void>? = nil) {
    onLoop { handler in
      precondition(handler.isServer, "a client must mask its frames")
      guard handler.phase == .open else {
        promise?.fail(ChannelError.alreadyClosed)
        return
      }
      handler.write(frames, promise: promise)
    }
  }

  /// Writes a text as the frame that a server sends.
  ///
  /// - Parameters:
  ///   - payload: UTF-8.
  ///   - output: What the frame is put behind of.
  public static func appendTextFrame(_ payload: some Collection<UInt8>, to output: inout ByteBuffer)
  {
    let header = WebSocketFrameHeader(opcode: .text, length: payload.count)
    output.reserveCapacity(minimumWritableBytes: header.size + header.length)
    header.append(to: &output)
    output.writeBytes(payload)
  }

  /// Begins the closing handshake; a peer that does not take part in time is cut.
  ///
  /// - Parameters:
  ///   - code: One that may be sent: 1000 to 1003, 1007 to 1014, 3000 to 4999.
  ///   - reason: What is beyond 123 bytes is left out.
  public func close(code: UInt16 = 1000, reason: String = "") {
    onLoop { $0.close(code: code, reason: reason) }
  }

  /// Ends the connection at once, without the handshake.
  public func cut() {
    onLoop { $0.cut() }
  }

  /// Reads nothing more until ``resume()``, so that the peer has to wait; nor is a ping answered.
  public func pause() {
    onLoop { $0.pause() }
  }

  /// Reads again.
  public func resume() {
    onLoop { $0.resume() }
  }

  private func send(_ opcode: WebSocketFrameHeader.Opcode, _ payload: ByteBuffer) {
    onLoop { handler in
      if handler.phase == .open { handler.send(opcode, payload) }
    }
  }

  private func onLoop(_ work: @escaping @Sendable (WebSocketHandler) -> Void) {
    if eventLoop.inEventLoop {
      work(bound.value)
    } else {
      eventLoop.execute { [bound] in work(bound.value) }
    }
  }
}
