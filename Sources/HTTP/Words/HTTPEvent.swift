/// A step of a response.
///
/// The steps are a head, chunks of the body, and the end.
public enum HTTPEvent: Sendable {
  /// The head of the final response.
  ///
  /// Interim responses (1xx) and a proxy's response to CONNECT are skipped.
  case head(HTTPHead)
  /// A chunk of the decoded body, which is not empty.
  case body([UInt8])
  /// The end of a response that is complete by its framing.
  ///
  /// libcurl 7.88 does not detect that an encoding is truncated if the framing is complete. For
  /// gzip, see `HTTPRequest.noticesCutEncoding`.
  case end(HTTPTiming)
}
