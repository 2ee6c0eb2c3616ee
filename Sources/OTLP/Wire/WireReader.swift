/// The failure to decode a message.
enum WireFault: Error {
  /// The bytes end within a value.
  case truncated
  /// The bytes are not protobuf.
  case malformed
  /// A string is not UTF-8.
  case encoding
  /// Messages are nested too deeply.
  case depth
  /// There are more than ``WireReader/mostMessages`` messages.
  case tooMany
  /// A JSON value does not fit its field.
  case value
  /// The text is not JSON, or not the JSON of the message, for the given reason.
  case json(String)

  /// The reason.
  var reason: String {
    switch self {
    case .truncated: "truncated"
    case .malformed: "malformedProtobuf"
    case .encoding: "invalidUTF8"
    case .depth: "messageDepthLimit"
    case .tooMany: "too many messages"
    case .value: "a value has the wrong type"
    case .json(let reason): reason
    }
  }
}

/// The form of a value in protobuf, which a field's tag names (protobuf, "Message Structure").
enum WireFormat: UInt8, Sendable {
  case varint, fixed64, length, groupStart, groupEnd, fixed32
}

/// A reader of protobuf's encoding.
struct WireReader {
  /// The deepest nesting of messages and groups that is accepted.
  static let maximumDepth = 100
  /// The largest number of messages in a request.
  ///
  /// A message of two bytes takes hundreds of bytes in memory. SDKs send hundreds of records at
  /// once, and collectors thousands. An attribute is two messages.
  static let mostMessages = 500_000

  private let bytes: [UInt8]
  private var at = 0
  private var end: Int
  private var depth = 0
  private var messages = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
  }

  /// Reads the fields of the outermost message.
  mutating func fields<Message: WireMessage>(of message: inout Message) throws(WireFault) {
    depth += 1
    guard depth <= Self.maximumDepth else { throw .depth }
    let fields = Message.fields
    while at < end {
      let (number, format) = try tag()
      if let field = fields.first(where: { $0.number == number && $0.format == format }) {
        try field.read(&message, &self)
      } else {
        try skip(number, format)
      }
    }
    depth -= 1
  }

  /// Reads a message that has a length.
  mutating func message<Message: WireMessage>(_ message: inout Message) throws(WireFault) {
    let range = try body()
    messages += 1
    guard messages <= Self.mostMessages else { throw .tooMany }
    let outer = end
    (at, end) = (range.lowerBound, range.upperBound)
    try fields(of: &message)
    end = outer
  }

  /// Reads the contents of a string or of bytes.
  mutating func contents() throws(WireFault) -> ArraySlice<UInt8> { bytes[try body()] }

  /// Reads a number of 1 to 10 bytes, the lowest seven bits first.
  mutating func varint() throws(WireFault) -> UInt64 {
    guard at < end else { throw .truncated }
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard at < end else { throw .malformed }
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw .malformed
  }

  /// Reads a number of 8 bytes, the lowest first.
  mutating func fixed64() throws(WireFault) -> UInt64 {
    guard end - at >= 8 else { throw .truncated }
    defer { at += 8 }
    return bytes[at..<at + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func tag() throws(WireFault) -> (number: Int, format: WireFormat) {
    let tag = try varint()
    guard let tag = UInt32(exactly: tag), tag >> 3 > 0,
      let format = WireFormat(rawValue: UInt8(tag & 7))
    else { throw .malformed }
    return (Int(tag >> 3), format)
  }

  /// Reads a length, skips the bytes that have it, and returns their place.
  private mutating func body() throws(WireFault) -> Range<Int> {
    let length = try varint()
    guard length < UInt64(Int32.max) else { throw .malformed }
    guard length <= UInt64(end - at) else { throw .truncated }
    defer { at += Int(length) }
    return at..<at + Int(length)
  }

  private mutating func skip(_ number: Int, _ format: WireFormat) throws(WireFault) {
    switch format {
    case .varint: _ = try varint()
    case .fixed64: try skip(bytes: 8)
    case .fixed32: try skip(bytes: 4)
    case .length: try skip(bytes: try varint())
    case .groupStart:
      depth += 1
      guard depth <= Self.maximumDepth else { throw .depth }
      while true {
        guard at < end else { throw .truncated }
        let (inner, format) = try tag()
        if format == .groupEnd, inner == number { break }
        try skip(inner, format)
      }
      depth -= 1
    case .groupEnd: throw .malformed
    }
  }

  private mutating func skip(bytes count: UInt64) throws(WireFault) {
    guard count <= UInt64(end - at) else { throw .truncated }
    at += Int(count)
  }
}

extension [UInt8] {
  /// Appends the number in 1 to 10 bytes, the lowest seven bits first.
  mutating func appendVarint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends the number in 8 bytes, the lowest first.
  mutating func appendFixed64(_ number: UInt64) {
    for shift in stride(from: UInt64(0), through: 56, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Appends the name of a member, with a comma before it unless it is the object's first.
  mutating func appendName(_ name: String) {
    if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    append(UInt8(ascii: "\""))
    append(contentsOf: name.utf8)
    append(contentsOf: "\":".utf8)
  }
}
