public import Core

/// A response with server-sent events (WHATWG HTML, section 9.2) that is read while it arrives.
///
/// A response whose status is not accepted is a refusal. Its body is collected.
public struct EventStream: Sendable {
  /// The maximum number of bytes of a refusal's body that are stored.
  private static let longestRefusal = 1 << 16

  /// The response's head; nil before it arrives.
  public private(set) var head: HTTPHead?
  private let accepted: ClosedRange<Int>
  private var parser: ServerSentEventParser
  private var body: [UInt8] = []

  /// Creates a stream for a response that has not arrived yet.
  ///
  /// - Parameters:
  ///   - accepted: The statuses of an event stream. Any other status is a refusal.
  ///   - parser: The parser of the events.
  public init(
    accepted: ClosedRange<Int> = 200...299, parser: ServerSentEventParser = ServerSentEventParser()
  ) {
    (self.accepted, self.parser) = (accepted, parser)
  }

  /// `true` if a head with an accepted status has arrived.
  public var isAccepted: Bool { head.map { accepted.contains($0.status) } ?? false }

  /// The part of a refusal that was received so far.
  ///
  /// It is nil before the head arrives and if the status is accepted.
  public var refusal: HTTPResponse? {
    guard let head, !isAccepted else { return nil }
    return HTTPResponse(head: head, body: body)
  }

  /// Reads the given step of the response.
  ///
  /// - Returns: The events that end in this step.
  /// - Throws: `InvalidResponse` of kind `tooLarge` if an event is too large.
  public mutating func read(_ step: HTTPEvent) throws(Failure) -> [ServerSentEvent] {
    switch step {
    case .head(let head): self.head = head
    case .body(let bytes) where isAccepted: return try parser.push(bytes)
    case .body(let bytes): body += bytes.prefix(Self.longestRefusal - body.count)
    case .end: break
    }
    return []
  }
}
