/// A complete response.
public struct HTTPResponse: Sendable, Hashable {
  /// The status and the header fields.
  public var head: HTTPHead
  /// The decoded body.
  public var body: [UInt8]
  /// The measurements of the transfer.
  public var timing: HTTPTiming

  /// Creates a response, for example for a test or a cache.
  public init(head: HTTPHead, body: [UInt8] = [], timing: HTTPTiming = HTTPTiming()) {
    self.head = head
    self.body = body
    self.timing = timing
  }
}
