import Core
import HTTP

/// An answer that is arriving: a JSON text, an event stream, or a refusal.
struct WebAnswer: Sendable {
  /// The maximum size of a message.
  static let maximumBytes = 16 << 20
  /// The maximum bytes of a refusal's body that are stored.
  private static let maximumRefusalBytes = 64 << 10

  private enum Form { case events, text, refusal }

  private let place: WebPlace
  /// The head; nil until it arrives.
  private(set) var head: HTTPHead?
  /// The body of a JSON text or of a refusal.
  private(set) var body: [UInt8] = []
  private var form = Form.refusal
  private var events = ServerSentEventParser(maximumEventBytes: maximumBytes)

  init(from place: WebPlace) { self.place = place }

  /// `true` if the answer is an event stream.
  var isStream: Bool { form == .events }

  /// `true` if the status is not that of a success.
  var isRefused: Bool { head.map { !(200...299).contains($0.status) } ?? false }

  /// The id from which the stream can be resumed; nil if it cannot.
  var lastEventID: String? {
    form == .events && !events.lastEventID.isEmpty ? events.lastEventID : nil
  }

  /// The milliseconds that the server wants clients to wait before they resume the stream.
  var retryMilliseconds: Int? { events.retryMilliseconds }

  /// Reads the given step of the answer.
  ///
  /// - Returns: The messages that the step completes.
  /// - Throws: `InvalidResponse` if the answer is of another protocol, or too large.
  mutating func read(_ step: HTTPEvent) throws(Failure) -> [MCPMessage] {
    switch step {
    case .head(let head):
      self.head = head
      if !isRefused { form = try Self.form(of: head, place) }
      return []
    case .body(let bytes): return try read(bytes)
    case .end: return form == .text ? try messages(of: body) : []
    }
  }

  private mutating func read(_ bytes: [UInt8]) throws(Failure) -> [MCPMessage] {
    switch form {
    case .refusal: body += bytes.prefix(max(Self.maximumRefusalBytes - body.count, 0))
    case .text:
      guard body.count + bytes.count <= Self.maximumBytes else {
        throw Failure(
          .invalidResponse,
          "'\(place.shownURL)' sent a message of more than \(Self.maximumBytes) bytes",
          kind: .tooLarge, url: place.shownURL)
      }
      body += bytes
    case .events:
      var found: [MCPMessage] = []
      // An event without data only names an id.
      for event in try events.push(bytes) where !event.data.isEmpty {
        found += try messages(of: Array(event.data.utf8))
      }
      return found
    }
    return []
  }

  private func messages(of text: [UInt8]) throws(Failure) -> [MCPMessage] {
    // A 202 has no body.
    guard !text.isEmpty else { return [] }
    guard let messages = MCPMessage.read(text) else {
      throw Failure(
        .invalidResponse, "'\(place.shownURL)' sent a message that is not JSON",
        url: place.shownURL)
    }
    return messages
  }

  private static func form(of head: HTTPHead, _ place: WebPlace) throws(Failure) -> Form {
    let type = head.value("content-type") ?? ""
    switch type.prefix(while: { !"; \t".contains($0) }).lowercased() {
    case "text/event-stream": return .events
    case "application/json", "": return .text
    default:
      // Nobody reads the body of an accepted notification.
      if head.status == 202 { return .refusal }
      throw Failure(
        .invalidResponse,
        "'\(place.shownURL)' answered with '\(Visible.line(String(type.prefix(80))))' in place of "
          + "JSON",
        status: head.status, url: place.shownURL)
    }
  }
}
