internal import Core

/// A count of the messages in a request.
///
/// It is made before the request is decoded.
///
/// A message of two bytes takes hundreds of bytes in memory. A small body could therefore exhaust
/// the memory.
struct RequestSize {
  /// The number of protobuf messages of all kinds; for JSON, the number of objects.
  private var messages = 0

  /// The largest number of messages in a request.
  ///
  /// SDKs send hundreds of records at once, and collectors thousands. An attribute is two messages.
  static let most = 500_000

  /// Checks that the given body does not contain too many messages.
  ///
  /// - Throws: `BadInput` of kind `tooLarge` (413) if there are more than ``most`` messages.
  static func check(
    _ body: [UInt8], of signal: OTLPSignal, _ encoding: OTLPEncoding
  ) throws(Failure) {
    var count = RequestSize()
    switch encoding {
    case .protobuf: count.add(body[...], WireShape.request(signal))
    case .json: count.add(json: body)
    }
    guard count.fits else {
      throw Failure(
        .badInput,
        "the request has more than \(most) spans, records, points and attributes", kind: .tooLarge,
        status: 413)
    }
  }

  private var fits: Bool { messages <= Self.most }

  /// Counts the messages in the given bytes, which are a message of the given kind.
  ///
  /// Counting stops at the first malformed byte, because the decoder also stops there.
  private mutating func add(_ bytes: ArraySlice<UInt8>, _ shape: WireShape, depth: Int = 0) {
    // SwiftProtobuf decodes at most 100 nested messages.
    guard depth <= 100 else { return }
    var rest = bytes
    while fits, let tag = Self.number(&rest) {
      let field = Int(truncatingIfNeeded: tag >> 3)
      switch tag & 7 {
      case 0: guard Self.number(&rest) != nil else { return }
      case 1: rest = rest.dropFirst(8)
      case 2:
        guard let length = Self.number(&rest), length <= UInt64(rest.count) else { return }
        let inside = rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
        guard let inner = shape.inner(field) else { continue }
        messages += 1
        add(inside, inner, depth: depth + 1)
      case 5: rest = rest.dropFirst(4)
      // The decoder skips groups. Messages inside a group are counted as if they were outside of
      // it.
      case 3, 4: break
      default: return
      }
    }
  }

  /// Reads a protobuf varint of 1 to 10 bytes; returns nil if it is malformed.
  private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for (index, byte) in bytes.prefix(10).enumerated() {
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte & 0x80 == 0 {
        bytes = bytes.dropFirst(index + 1)
        return value
      }
    }
    return nil
  }

  /// Counts the objects in the given JSON text.
  private mutating func add(json: [UInt8]) {
    var isText = false
    var at = 0
    while at < json.count, fits {
      switch json[at] {
      case UInt8(ascii: "\\") where isText: at += 1
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText: messages += 1
      default: break
      }
      at += 1
    }
  }
}

/// The kind of a message.
///
/// It determines which fields are messages themselves; see otlp.proto.
enum WireShape {
  case request(OTLPSignal)
  case resourceGroup(OTLPSignal)
  case scopeGroup(OTLPSignal)
  case resource, span, spanEvent, log, metric, numbers, histogram, exponential, summary
  case number, histogramPoint, exponentialPoint, summaryPoint, quantile
  case keyValue, value, values, keyValues, plain

  /// Returns the kind of the message in the field with the given number; nil if the field is no
  /// message.
  func inner(_ field: Int) -> WireShape? {
    switch (self, field) {
    case (.request(let signal), 1): .resourceGroup(signal)
    case (.resourceGroup, 1): .resource
    case (.resourceGroup(let signal), 2): .scopeGroup(signal)
    case (.scopeGroup, 1), (.span, 15): .plain
    case (.scopeGroup(let signal), 2): Self.record(signal)
    case (.resource, 1), (.span, 9), (.spanEvent, 3), (.log, 6), (.number, 7),
      (.histogramPoint, 9), (.exponentialPoint, 1), (.summaryPoint, 7), (.keyValues, 1):
      .keyValue
    case (.span, 11): .spanEvent
    case (.log, 5), (.keyValue, 2), (.values, 1): .value
    case (.value, 5): .values
    case (.value, 6): .keyValues
    case (.metric, 5), (.metric, 7): .numbers
    case (.metric, 9): .histogram
    case (.metric, 10): .exponential
    case (.metric, 11): .summary
    case (.numbers, 1): .number
    case (.histogram, 1): .histogramPoint
    case (.exponential, 1): .exponentialPoint
    case (.summary, 1): .summaryPoint
    case (.summaryPoint, 6): .quantile
    default: nil
    }
  }

  private static func record(_ signal: OTLPSignal) -> WireShape {
    switch signal {
    case .traces: .span
    case .logs: .log
    case .metrics: .metric
    }
  }
}
