import NIOCore

/// The header of a frame (RFC 6455 section 5.2).
struct WebSocketFrameHeader: Hashable {
  /// The kind of a frame.
  enum Opcode: UInt8 {
    case continuation = 0
    case text, binary
    case close = 8
    case ping, pong

    var isControl: Bool { rawValue >= 8 }
  }

  /// The largest payload of a control frame in bytes.
  static let longestControl = 125

  var isFinal = true
  var opcode: Opcode
  var length: Int
  /// The masking key; nil for an unmasked frame.
  ///
  /// The key's first byte is the lowest one.
  var mask: UInt32?

  /// Reads a header from the input.
  ///
  /// If the header is incomplete, the available bytes are still validated.
  ///
  /// - Parameters:
  ///   - input: The received bytes.
  ///   - isMasked: `true` if the peer is a client, which must mask its frames.
  ///   - room: The number of bytes by which the current message may still grow.
  /// - Returns: The header; nil if it is incomplete. In this case, `input` is not changed.
  /// - Throws: The peer's violation of the protocol.
  static func read(
    _ input: inout ByteBuffer, isMasked: Bool, room: Int
  ) throws(WebSocketFault) -> WebSocketFrameHeader? {
    let start = input.readerIndex
    guard let first = input.getInteger(at: start, as: UInt8.self) else { return nil }
    let opcode = try opcode(of: first)
    guard let second = input.getInteger(at: start + 1, as: UInt8.self) else { return nil }
    guard (second & 0x80 != 0) == isMasked else {
      throw .protocolError(isMasked ? "a frame is not masked" : "a frame is masked")
    }
    let short = Int(second & 0x7F)
    guard !opcode.isControl || short <= longestControl else {
      throw .protocolError("a control frame is too long")
    }
    guard let (length, size) = try length(short, in: input, at: start + 2) else { return nil }
    guard opcode.isControl || length <= room else { throw .tooLarge }
    var header = WebSocketFrameHeader(
      isFinal: first & 0x80 != 0, opcode: opcode, length: length)
    var end = start + 2 + size
    if isMasked {
      guard let key = input.getInteger(at: end, endianness: .little, as: UInt32.self) else {
        return nil
      }
      header.mask = key
      end += 4
    }
    input.moveReaderIndex(to: end)
    return header
  }

  private static func opcode(of first: UInt8) throws(WebSocketFault) -> Opcode {
    guard first & 0x70 == 0 else { throw .protocolError("a reserved bit is set") }
    guard let opcode = Opcode(rawValue: first & 0x0F) else {
      throw .protocolError("a reserved opcode is used")
    }
    guard !opcode.isControl || first & 0x80 != 0 else {
      throw .protocolError("a control frame is fragmented")
    }
    return opcode
  }

  /// Returns the length of the payload and the size of the header's length field.
  ///
  /// The length must be in its shortest form.
  private static func length(
    _ short: Int, in input: ByteBuffer, at index: Int
  ) throws(WebSocketFault) -> (length: Int, size: Int)? {
    switch short {
    case 126:
      guard let length = input.getInteger(at: index, as: UInt16.self) else { return nil }
      guard length > 125 else { throw .protocolError("a length is not in its shortest form") }
      return (Int(length), 2)
    case 127:
      guard let length = input.getInteger(at: index, as: UInt64.self) else { return nil }
      guard length > UInt16.max else {
        throw .protocolError("a length is not in its shortest form")
      }
      return (Int(clamping: length), 8)
    default: return (short, 0)
    }
  }

  /// The size of the header in bytes.
  var size: Int {
    let extended = length <= 125 ? 0 : length <= Int(UInt16.max) ? 2 : 8
    return 2 + extended + (mask == nil ? 0 : 4)
  }

  /// Appends the header to the given buffer.
  func append(to output: inout ByteBuffer) {
    output.writeInteger((isFinal ? 0x80 : 0) | opcode.rawValue)
    let masked: UInt8 = mask == nil ? 0 : 0x80
    switch length {
    case ...125: output.writeInteger(masked | UInt8(length))
    case ...Int(UInt16.max): output.writeMultipleIntegers(masked | 126, UInt16(length))
    default: output.writeMultipleIntegers(masked | 127, UInt64(length))
    }
    if let mask { output.writeInteger(mask, endianness: .little) }
  }
}
