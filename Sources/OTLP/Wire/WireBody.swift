internal import Core

/// The encoding of the protocol's messages as protobuf and as OTLP's JSON.
enum WireBody {
  /// Returns the message that the given bytes encode.
  ///
  /// - Throws: `BadInput` if the bytes are malformed; `BadInput` of kind `tooLarge` (413) if there
  ///   are too many messages.
  static func message<Message: WireMessage>(
    _ type: Message.Type, of bytes: [UInt8], _ encoding: OTLPEncoding
  ) throws(Failure) -> Message {
    var message = Message()
    do throws(WireFault) {
      switch encoding {
      case .protobuf:
        var reader = WireReader(bytes)
        try reader.fields(of: &message)
      case .json:
        guard objects(in: bytes) <= WireReader.mostMessages else { throw .tooMany }
        guard let json = JSONText.value(bytes) else { throw .json("it is not valid JSON") }
        try message.read(json, depth: 0)
      }
      return message
    } catch .tooMany {
      throw Failure(
        .badInput,
        "the request has more than \(WireReader.mostMessages) spans, records, points and attributes",
        kind: .tooLarge, status: 413)
    } catch {
      throw Failure(.badInput, "cannot parse the body as \(encoding.rawValue): \(error.reason)")
    }
  }

  /// Returns the given message in the given encoding.
  static func bytes(of message: some WireMessage, _ encoding: OTLPEncoding) -> [UInt8] {
    var bytes: [UInt8] = []
    switch encoding {
    case .protobuf: message.writeFields(to: &bytes)
    case .json: message.writeJSON(to: &bytes)
    }
    return bytes
  }

  /// Returns the number of objects in the given JSON text, which may be malformed.
  ///
  /// They are counted before the text is decoded: a value takes many times the memory of its text.
  private static func objects(in json: [UInt8]) -> Int {
    var count = 0
    var isText = false
    var isEscaped = false
    for byte in json {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText: count += 1
      default: break
      }
    }
    return count
  }
}
