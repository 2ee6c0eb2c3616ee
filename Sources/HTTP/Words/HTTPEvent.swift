/// One step of a response: a head, then body chunks, then the end.
public enum HTTPEvent: Sendable {
  /// The final response's head; interim ones (1xx) and a proxy's CONNECT are skipped.
  case head(HTTPHead)
  /// Decoded body bytes, never empty, as libcurl delivered them.
  case body([UInt8])
  /// The end of the response, complete by its framing.
  ///
  /// libcurl 7.88 does not notice an encoding that ends early within a body that is complete; see
  /// `HTTPRequest.noticesCutEncoding` for gzip.
  case end(HTTPTiming)
}
