/// A whole response, its body collected.
public struct HTTPResponse: Sendable, Hashable {
  /// The status and the header fields.
  public var head: HTTPHead
  /// The decoded body.
  public var body: [UInt8]
  /// What the transfer measured.
  public var timing: HTTPTiming

  /// Creates a response, as a test or a cache needs it.
  public init(head: HTTPHead, body: [UInt8] = [], timing: HTTPTiming = HTTPTiming()) {
    self.head = head
    self.body = body
    self.timing = timing
  }
}
