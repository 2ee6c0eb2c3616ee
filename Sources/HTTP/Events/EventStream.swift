public import Core

/// A response with server-sent events (WHATWG HTML, 9.2), read as it arrives.
///
/// A response with another status is a refusal, whose body is collected.
public struct EventStream: Sendable {
  /// The maximum bytes of a refusal's body that are stored.
  private static let longestRefusal = 1 << 16

  /// The response's head; nil until it arrives.
  public private(set) var head: HTTPHead?
  private let accepted: ClosedRange<Int>
  private var parser: ServerSentEventParser
  private var body: [UInt8] = []

  /// Creates a stream before the response arrives.
  ///
  /// - Parameters:
  ///   - accepted: The statuses of an event stream; any other status is a refusal.
  ///   - parser: The parser of the events.
  public init(
    accepted: ClosedRange<Int> = 200...299, parser: ServerSentEventParser = ServerSentEventParser()
  ) {
    (self.accepted, self.parser) = (accepted, parser)
  }

  /// `true` if a head with an accepted status has arrived.
  public var isAccepted: Bool { head.map { accepted.contains($0.status) } ?? false }

  /// The refusal as received so far; nil before the head arrives, and for an accepted status.
  public var refusal: HTTPResponse? {
    guard let head, !isAccepted else { return nil }
    return HTTPResponse(head: head, body: body)
  }

  /// Reads the given step of the response.
  ///
  /// - Returns: The events that the step completes.
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
