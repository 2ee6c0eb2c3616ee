/// One step of a response: a head, then body chunks, then the end.
public enum HTTPEvent: Sendable {
  /// The final response's head; interim ones (1xx) and a proxy's CONNECT are skipped.
  case head(HTTPHead)
  /// Decoded body bytes, never empty, as libcurl delivered them.
  case body([UInt8])
  /// The complete end of the response.
  case end(HTTPTiming)
}
