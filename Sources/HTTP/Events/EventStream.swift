public import Core

/// A response of server-sent events (WHATWG HTML, 9.2) as it arrives: its status, then its events, or
/// the body of a refusal.
public struct EventStream: Sendable {
  /// Bytes of a refusal's body beyond these are dropped.
  private static let longestRefusal = 1 << 16

  /// The response's head, once it came.
  public private(set) var head: HTTPHead?
  private let accepted: ClosedRange<Int>
  private var parser: ServerSentEventParser
  private var body: [UInt8] = []

  /// Creates a stream of which nothing came yet.
  ///
  /// - Parameters:
  ///   - accepted: The statuses of a stream; every other one is a refusal.
  ///   - parser: Reads the events.
  public init(
    accepted: ClosedRange<Int> = 200...299, parser: ServerSentEventParser = ServerSentEventParser()
  ) {
    (self.accepted, self.parser) = (accepted, parser)
  }

  /// `true` once a head of an accepted status came.
  public var isAccepted: Bool { head.map { accepted.contains($0.status) } ?? false }

  /// The refusal as far as it came; nil before the head, and of an accepted stream.
  public var refusal: HTTPResponse? {
    guard let head, !isAccepted else { return nil }
    return HTTPResponse(head: head, body: body)
  }

  /// Reads one step of the response.
  ///
  /// - Returns: The events that are whole with it.
  /// - Throws: What the parser throws, as for an event that is too large.
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
