/// A step of a response: a head, then body chunks, then the end.
public enum HTTPEvent: Sendable {
  /// The head of the final response; interim ones (1xx) and a proxy's CONNECT are skipped.
  case head(HTTPHead)
  /// A non-empty chunk of decoded body bytes.
  case body([UInt8])
  /// The end of the response, complete by its framing.
  ///
  /// libcurl 7.88 does not detect a truncated encoding in a complete body; see
  /// `HTTPRequest.noticesCutEncoding` for gzip.
  case end(HTTPTiming)
}
