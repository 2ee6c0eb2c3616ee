/// The encoding of a request and its response.
public enum OTLPEncoding: String, Sendable, CaseIterable {
  /// Protobuf, which most senders use.
  case protobuf = "application/x-protobuf"
  /// OTLP's JSON.
  case json = "application/json"

  /// Creates the encoding that a `Content-Type` names, ignoring parameters; returns nil for another
  /// type, for status 415.
  public init?(contentType: String) {
    let type = contentType.prefix { $0 != ";" }.filter { !$0.isWhitespace }
    self.init(rawValue: type.lowercased())
  }

  /// The `Content-Type` of the encoding.
  public var contentType: String { rawValue }
}
