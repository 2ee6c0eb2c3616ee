import Core
import Foundation
import HTTPTypes
import OTLP

/// The outcome of a gRPC call, which its trailers report.
///
/// See the gRPC repository, doc/PROTOCOL-HTTP2.md and doc/statuscodes.md.
struct CallStatus: Sendable, Hashable {
  /// The code (google.rpc.Code).
  var code: Int
  /// A sentence that describes the failure; empty if there was none.
  var message = ""
  /// The time in seconds after which the client may repeat the call; nil if it should not.
  var retryAfterSeconds: Int?

  /// The outcome of a call that succeeded.
  static let ok = CallStatus(code: 0)
  /// The code of a call to an unknown method.
  static let unimplemented = 12
  /// The codes of an overloaded server: RESOURCE_EXHAUSTED and UNAVAILABLE.
  private static let busyCodes: Set = [8, 14]

  init(code: Int, message: String = "") {
    self.code = code
    self.message = message
  }

  /// Creates the outcome of a call that failed in the given way.
  ///
  /// The code corresponds to the status that the failure has over HTTP.
  init(_ failure: Failure) {
    let answer = HubAnswer(failure)
    code = Int(OTLPAnswer.code(ofStatus: answer.status.code))
    message = failure.sentence
    // Clients repeat a call that exhausted a resource only if a time is given
    // (opentelemetry-proto, docs/specification.md). A larger call stays too large.
    guard Self.busyCodes.contains(code), failure.kind != .tooLarge else { return }
    retryAfterSeconds = answer.fields.first { $0.name == .retryAfter }.flatMap { Int($0.value) }
  }

  /// The metadata of the trailers.
  var trailers: [(name: String, value: String)] {
    var trailers = [("grpc-status", "\(code)")]
    if !message.isEmpty { trailers.append(("grpc-message", Self.encoded(message))) }
    if let details {
      // Binary metadata is base64, and its padding should be omitted.
      let text = Data(details).base64EncodedString().prefix { $0 != "=" }
      trailers.append(("grpc-status-details-bin", String(text)))
    }
    return trailers
  }

  /// The largest number of bytes of a message in the trailers.
  private static let mostBytes = 1_000

  /// Returns the given message with all but printable ASCII characters percent-encoded.
  static func encoded(_ message: String) -> String {
    let bytes = message.utf8.prefix(mostBytes).map { byte in
      (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "%")
        ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
    }
    return bytes.joined()
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }

  /// The `google.rpc.Status` with a `RetryInfo`; nil without a time (google/rpc/error_details.proto).
  private var details: [UInt8]? {
    guard let retryAfterSeconds else { return nil }
    let delay = Self.field(1, number: UInt64(max(0, retryAfterSeconds)))
    let type = Array("type.googleapis.com/google.rpc.RetryInfo".utf8)
    let any = Self.field(1, type) + Self.field(2, Self.field(1, delay))
    return Self.field(1, number: UInt64(code)) + Self.field(2, Array(message.utf8))
      + Self.field(3, any)
  }

  /// Returns a protobuf field with the given bytes.
  private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }

  /// Returns a protobuf field with the given number.
  private static func field(_ field: UInt64, number: UInt64) -> [UInt8] {
    varint(field << 3) + varint(number)
  }

  private static func varint(_ number: UInt64) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(truncatingIfNeeded: rest)]
  }
}
