/// The encoding of a request and of its response.
public enum OTLPEncoding: String, Sendable, CaseIterable {
  /// Protobuf, which most senders use.
  case protobuf = "application/x-protobuf"
  /// OTLP's JSON.
  case json = "application/json"

  /// Creates the encoding that the given `Content-Type` names, ignoring the type's parameters.
  ///
  /// Returns nil for any other type. A server then responds with status 415.
  public init?(contentType: String) {
    let type = contentType.prefix { $0 != ";" }.filter { !$0.isWhitespace }
    self.init(rawValue: type.lowercased())
  }

  /// The `Content-Type` of the encoding.
  public var contentType: String { rawValue }
}
