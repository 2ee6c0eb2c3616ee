import NIOCore
import TestSupport

@testable import WebSocket

/// The bytes of a frame, right or wrong, put together by hand.
struct Frame {
  var first: UInt8
  var payload: [UInt8]
  var key: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]

  /// A whole message, or a fragment; `opcode` with the bit of the end.
  init(_ first: UInt8, _ payload: [UInt8] = [], masked: Bool = true) {
    (self.first, self.payload) = (first, payload)
    if !masked { key = nil }
  }

  init(_ first: UInt8, _ text: String, masked: Bool = true) {
    self.init(first, Array(text.utf8), masked: masked)
  }

  /// A Close frame.
  init(closing code: UInt16, _ reason: String = "", masked: Bool = true) {
    let payload = [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8)
    self.init(0x88, payload, masked: masked)
  }

  var bytes: [UInt8] {
    let mask: UInt8 = key == nil ? 0 : 0x80
    var bytes = [first]
    switch payload.count {
    case ...125: bytes.append(mask | UInt8(payload.count))
    case ...65_535: bytes += [mask | 126] + Self.big(UInt64(payload.count)).suffix(2)
    default: bytes += [mask | 127] + Self.big(UInt64(payload.count))
    }
    guard let key else { return bytes + payload }
    return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
  }

  static func big(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
  }
}

/// What a reader makes of bytes, in words, and the code with which it ends.
func reading(_ parts: [[UInt8]], ofClient: Bool = true, limit: Int = 1 << 20) -> [String] {
  var reader = WebSocketFrameReader(ofClient: ofClient, limit: limit)
  var input = ByteBuffer()
  var told: [String] = []
  for part in parts {
    input.writeBytes(part)
    do throws(WebSocketFault) {
      while let event = try reader.next(&input) { told.append(words(event)) }
    } catch {
      return told + ["\(error.code)"]
    }
    input.discardReadBytes()
  }
  return told
}

private func words(_ event: WebSocketFrameReader.Event) -> String {
  switch event {
  case .text(let payload): "text \(String(buffer: payload))"
  case .binary(let payload): "binary \(Array(payload.readableBytesView))"
  case .ping(let payload): "ping \(String(buffer: payload))"
  case .pong(let payload): "pong \(String(buffer: payload))"
  case .close(let code, let reason): "close \(code.map(String.init) ?? "-") \(reason)"
  }
}
