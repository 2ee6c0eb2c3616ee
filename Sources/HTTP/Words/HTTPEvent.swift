/// A step of a response: a head, then body chunks, then the end.
public enum HTTPEvent: Sendable {
  /// The head of the final response; interim responses (1xx), and the response of a proxy to
  /// CONNECT, are skipped.
  case head(HTTPHead)
  /// A non-empty chunk of decoded body bytes.
  case body([UInt8])
  /// The end of the response, complete by its framing.
  ///
  /// libcurl 7.88 does not detect a truncated encoding if the framing is complete; see
  /// `HTTPRequest.noticesCutEncoding` for gzip.
  case end(HTTPTiming)
}
