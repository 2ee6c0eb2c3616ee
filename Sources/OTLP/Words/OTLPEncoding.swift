/// How a request and its answer are written.
public enum OTLPEncoding: String, Sendable, CaseIterable {
  /// Protobuf, as most senders do it.
  case protobuf = "application/x-protobuf"
  /// OTLP's JSON.
  case json = "application/json"

  /// The encoding that a `Content-Type` names, whatever its parameters; nil for another type, which
  /// is answered with 415.
  public init?(contentType: String) {
    let type = contentType.prefix { $0 != ";" }.filter { !$0.isWhitespace }
    self.init(rawValue: type.lowercased())
  }

  /// The `Content-Type` of what is written so.
  public var contentType: String { rawValue }
}
