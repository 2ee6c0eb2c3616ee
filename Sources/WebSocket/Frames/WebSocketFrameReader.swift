import NIOCore

/// A parser that turns a peer's bytes into messages.
///
/// The bytes may be split anywhere.
///
/// It holds at most the received bytes of one message and one control frame. It allocates nothing
/// for bytes that were announced but have not arrived.
struct WebSocketFrameReader {
  /// A message or a control frame from the peer.
  enum Event: Equatable {
    case text(ByteBuffer)
    case binary(ByteBuffer)
    case ping(ByteBuffer)
    case pong(ByteBuffer)
    case close(code: UInt16?, reason: String)
  }

  private let isMasked: Bool
  private let limit: Int
  /// The header of the current frame.
  private var header: WebSocketFrameHeader?
  /// The number of bytes of the current payload that were received.
  private var received = 0
  /// The kind of the current fragmented message; nil outside of one.
  private var kind: WebSocketFrameHeader.Opcode?
  private var message: ByteBuffer?
  private var control: ByteBuffer?
  private var utf8 = UTF8Check()

  /// Creates a reader of the peer's frames.
  ///
  /// A client's frames must be masked. A server's frames must not.
  init(ofClient: Bool, limit: Int) {
    (isMasked, self.limit) = (ofClient, limit)
  }

  /// Returns the next complete event in the input; nil if more bytes are needed.
  ///
  /// The caller must put the unread input before the next bytes.
  mutating func next(_ input: inout ByteBuffer) throws(WebSocketFault) -> Event? {
    while true {
      if header == nil {
        guard try begin(&input) else { return nil }
      }
      if let event = try readPayload(&input) { return event }
      if header != nil { return nil }
    }
  }

  private mutating func begin(_ input: inout ByteBuffer) throws(WebSocketFault) -> Bool {
    let room = limit - (message?.readableBytes ?? 0)
    guard
      let header = try WebSocketFrameHeader.read(&input, isMasked: isMasked, room: room)
    else { return false }
    switch header.opcode {
    case .continuation:
      guard kind != nil else { throw .protocolError("there is nothing to continue") }
    case .text, .binary:
      guard kind == nil else { throw .protocolError("a message begins inside another") }
      kind = header.opcode
      utf8 = UTF8Check()
    default: break
    }
    self.header = header
    received = 0
    return true
  }

  private mutating func readPayload(_ input: inout ByteBuffer) throws(WebSocketFault) -> Event? {
    guard let header else { return nil }
    let count = min(header.length - received, input.readableBytes)
    var chunk = input.readSlice(length: count) ?? ByteBuffer()
    if let mask = header.mask, count > 0 {
      chunk.withUnsafeMutableReadableBytes { WebSocketMask.apply(mask, from: received, to: $0) }
    }
    received += count
    let isWhole = received == header.length
    if isWhole { self.header = nil }
    guard !header.opcode.isControl else {
      Self.append(chunk, to: &control)
      return isWhole ? try endControl(header.opcode) : nil
    }
    if kind == .text {
      guard chunk.withUnsafeReadableBytes({ utf8.accept($0) }) else { throw .notText }
    }
    Self.append(chunk, to: &message)
    return isWhole && header.isFinal ? try endMessage() : nil
  }

  private mutating func endMessage() throws(WebSocketFault) -> Event {
    guard utf8.isComplete else { throw .notText }
    let payload = message ?? ByteBuffer()
    let isText = kind == .text
    (message, kind) = (nil, nil)
    return isText ? .text(payload) : .binary(payload)
  }

  private mutating func endControl(
    _ opcode: WebSocketFrameHeader.Opcode
  ) throws(WebSocketFault) -> Event {
    var payload = control ?? ByteBuffer()
    control = nil
    guard opcode == .close else { return opcode == .ping ? .ping(payload) : .pong(payload) }
    guard payload.readableBytes > 0 else { return .close(code: nil, reason: "") }
    guard let code = payload.readInteger(as: UInt16.self), WebSocketFault.mayBeSent(code) else {
      throw .protocolError("a Close frame has a code that may not be sent")
    }
    var check = UTF8Check()
    guard payload.withUnsafeReadableBytes({ check.accept($0) }), check.isComplete else {
      throw .notText
    }
    return .close(code: code, reason: String(buffer: payload))
  }

  private static func append(_ chunk: ByteBuffer, to whole: inout ByteBuffer?) {
    guard whole != nil else {
      whole = chunk
      return
    }
    whole?.writeImmutableBuffer(chunk)
  }
}
