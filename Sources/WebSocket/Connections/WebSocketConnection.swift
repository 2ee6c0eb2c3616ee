public import NIOCore

/// One side of an open WebSocket connection (RFC 6455), without extensions.
///
/// The connection itself answers pings, joins fragments, validates input and completes the closing
/// handshake. Methods may be called on any thread, and take effect on the event loop soon after.
/// Properties may be used only on the event loop, except ``isWritable``.
///
/// The handlers are released when the connection ends. They may therefore refer to the connection.
public final class WebSocketConnection: Sendable {
  private let channel: any Channel
  private let bound: NIOLoopBound<WebSocketHandler>

  /// Creates the connection that the given handler serves; must be called on the channel's event
  /// loop.
  init(_ handler: WebSocketHandler, channel: any Channel) {
    self.channel = channel
    bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
  }

  /// Adds a connection to the given channel after the handshake; must be called on the channel's
  /// event loop.
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

  // MARK: Handlers, called on the event loop

  /// The handler of text messages.
  ///
  /// It is called with valid UTF-8.
  public var onText: ((ByteBuffer) -> Void)? {
    get { bound.value.onText }
    set { bound.value.onText = newValue }
  }

  /// The handler of binary messages.
  public var onBinary: ((ByteBuffer) -> Void)? {
    get { bound.value.onBinary }
    set { bound.value.onBinary = newValue }
  }

  /// The handler of pongs.
  ///
  /// It is called with the payload of the pong.
  public var onPong: ((ByteBuffer) -> Void)? {
    get { bound.value.onPong }
    set { bound.value.onPong = newValue }
  }

  /// The handler of the connection's end.
  ///
  /// It is called once, when the peer has closed the connection, was refused, or was lost.
  public var onClosed: ((WebSocketClosure) -> Void)? {
    get { bound.value.onClosed }
    set { bound.value.onClosed = newValue }
  }

  /// The handler of changes to ``isWritable``.
  ///
  /// It is called with the new value.
  public var onWritabilityChanged: ((Bool) -> Void)? {
    get { bound.value.onWritabilityChanged }
    set { bound.value.onWritabilityChanged = newValue }
  }

  /// The handler of arriving bytes.
  ///
  /// It is called before the bytes are read.
  var onBytes: (() -> Void)? {
    get { bound.value.onBytes }
    set { bound.value.onBytes = newValue }
  }

  // MARK: State

  /// The event loop of the connection.
  public var eventLoop: any EventLoop { channel.eventLoop }

  /// `true` if the number of bytes that wait to be sent is below the limit.
  ///
  /// It may be used on any thread.
  public var isWritable: Bool { channel.isWritable }

  /// `true` if messages may still be sent.
  public var isOpen: Bool { bound.value.phase == .open }

  /// The code and the reason with which the connection ended; nil while it is open.
  public var closure: WebSocketClosure? { bound.value.closure }

  /// The number of bytes that wait to be sent to the peer.
  public var waitingBytes: Int {
    // An embedded channel lacks this option and has no waiting bytes.
    (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  /// The time at which bytes last arrived.
  public var lastHeard: NIODeadline { bound.value.lastHeard }

  /// The address of the peer.
  public var remoteAddress: SocketAddress? { channel.remoteAddress }

  /// A future that succeeds when the channel is closed, which is some time after ``onClosed``.
  public var closeFuture: EventLoopFuture<Void> { channel.closeFuture }

  // MARK: Actions

  /// Sends the given text.
  public func send(text: String) {
    send(.text, ByteBuffer(string: text))
  }

  /// Sends the given UTF-8 text.
  public func send(text: ByteBuffer) {
    send(.text, text)
  }

  /// Sends the given bytes as a binary message.
  public func send(binary: ByteBuffer) {
    send(.binary, binary)
  }

  /// Sends a ping with the given payload.
  ///
  /// The pong repeats the payload.
  ///
  /// - Parameter payload: The payload. Only its first 125 bytes are sent.
  public func ping(_ payload: ByteBuffer = ByteBuffer()) {
    let longest = min(payload.readableBytes, WebSocketFrameHeader.longestControl)
    let start = payload.getSlice(at: payload.readerIndex, length: longest)
    send(.ping, start ?? ByteBuffer())
  }

  /// Writes many encoded frames at once.
  ///
  /// Only a server may call this.
  ///
  /// - Parameters:
  ///   - frames: Complete frames from ``appendTextFrame(_:to:)``. They are not masked.
  ///   - promise: A promise that succeeds when the kernel has the frames, and fails if they cannot
  ///     be sent.
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

  /// Appends a text frame to a buffer.
  ///
  /// Only a server can send it, because it is not masked.
  ///
  /// - Parameters:
  ///   - payload: The UTF-8 text.
  ///   - output: The buffer to append to.
  public static func appendTextFrame(_ payload: some Collection<UInt8>, to output: inout ByteBuffer)
  {
    let header = WebSocketFrameHeader(opcode: .text, length: payload.count)
    output.reserveCapacity(minimumWritableBytes: header.size + header.length)
    header.append(to: &output)
    output.writeBytes(payload)
  }

  /// Begins the closing handshake.
  ///
  /// A peer that does not answer in time is disconnected.
  ///
  /// - Parameters:
  ///   - code: The code in the Close frame: 1000 to 1003, 1007 to 1014, or 3000 to 4999.
  ///   - reason: The reason. At most 123 bytes of it are sent.
  public func close(code: UInt16 = 1000, reason: String = "") {
    onLoop { $0.close(code: code, reason: reason) }
  }

  /// Ends the connection at once, without a closing handshake.
  public func cut() {
    onLoop { $0.cut() }
  }

  /// Stops reading until ``resume()`` is called.
  ///
  /// The peer must then wait.
  ///
  /// While reading is stopped, pings are not answered.
  public func pause() {
    onLoop { $0.pause() }
  }

  /// Resumes reading after ``pause()``.
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
