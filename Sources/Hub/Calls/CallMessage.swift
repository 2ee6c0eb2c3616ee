import Core

/// The message of a unary gRPC call.
///
/// See the gRPC repository, doc/PROTOCOL-HTTP2.md, "Length-Prefixed-Message".
struct CallMessage: Sendable, Hashable {
  /// `true` if the message is compressed with the encoding that the call's metadata names.
  var isCompressed: Bool
  /// The bytes of the message.
  var bytes: [UInt8]

  /// The length of the prefix: a flag, and the message's length as 4 bytes, the highest first.
  static let prefixLength = 5

  /// The message with its prefix; nil if its length does not fit into the prefix.
  var framed: [UInt8]? {
    guard let length = UInt32(exactly: bytes.count) else { return nil }
    let prefix: [UInt8] = [
      isCompressed ? 1 : 0, UInt8(truncatingIfNeeded: length >> 24),
      UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8),
      UInt8(truncatingIfNeeded: length),
    ]
    return prefix + bytes
  }
}

/// A collector of the bytes of one message.
///
/// A message that is too long is refused when its prefix has arrived.
struct CallMessageReader {
  private let most: Int
  private var received: [UInt8] = []

  /// Creates an empty collector.
  ///
  /// - Parameter most: The largest length of the message in bytes.
  init(upTo most: Int) {
    self.most = most
  }

  /// The number of bytes that were collected.
  var count: Int { received.count }

  /// Adds the given bytes of the call.
  ///
  /// - Throws: `BadInput` of kind `tooLarge` (413) if the message is too long; `BadInput` if its
  ///   flag is unknown, or if bytes follow the message.
  mutating func append(_ bytes: some Collection<UInt8>) throws(Failure) {
    // The length of a piece is limited by the window of flow control.
    received += bytes
    guard let flag = received.first else { return }
    guard flag <= 1 else {
      throw Failure(.badInput, "the message has the unknown flag \(flag)")
    }
    guard let length else { return }
    guard length <= most else {
      throw Failure(
        .badInput, "the message is larger than \(most) bytes", kind: .tooLarge, status: 413)
    }
    guard received.count <= CallMessage.prefixLength + length else {
      throw Failure(.badInput, "the call has more than one message")
    }
  }

  /// Returns the message, after the last byte of the call.
  ///
  /// - Throws: `BadInput` if the message is incomplete or missing.
  func message() throws(Failure) -> CallMessage {
    guard let length, received.count == CallMessage.prefixLength + length else {
      throw Failure(
        .badInput, received.isEmpty ? "the call has no message" : "the message ends early")
    }
    return CallMessage(
      isCompressed: received[0] == 1, bytes: Array(received[CallMessage.prefixLength...]))
  }

  /// The length in the prefix; nil if the prefix is incomplete.
  private var length: Int? {
    guard received.count >= CallMessage.prefixLength else { return nil }
    return received[1..<CallMessage.prefixLength].reduce(0) { $0 << 8 | Int($1) }
  }
}
