public import Core
import Foundation
import HTTP

/// A hub's live stream as server-sent events (WHATWG HTML, 9.2).
public final class HubFeed: HubLine {
  /// The id of the last event before the stream begins; nil until the hub has sent it.
  public private(set) var start: String?
  private let call: HubCall
  private let inbox: FeedInbox
  private let task: Task<Void, Never>
  private var parser = ServerSentEventParser()

  /// The HTTP client of all streams in this process.
  ///
  /// It has one network thread.
  private static let client = HTTPClient()
  /// The largest number of bytes that are read of an unsuccessful response.
  private static let longestRefusal = 1 << 20

  /// Requests the stream and waits for the head of the response.
  ///
  /// - Throws: The failure that the response reports; the errors of sending; `Interrupted` if the
  ///   process is to end.
  public init(_ call: HubCall) throws(Failure) {
    let inbox = try FeedInbox()
    let answer = Self.client.stream(Self.request(call))
    let task = Task { await inbox.fill(from: answer) }
    (self.call, self.inbox, self.task) = (call, inbox, task)
    do throws(Failure) {
      guard let head = try inbox.head(call.interruption) else { throw call.lost() }
      guard head.status == 200 else {
        let refusal = HTTPResponse(head: head, body: try Self.body(inbox, call))
        throw Failure(hub: refusal, url: Self.url(call))
      }
      let type = head.value("content-type")?.lowercased() ?? ""
      guard type.hasPrefix("text/event-stream") else {
        throw Failure(
          .invalidResponse, "the response from '\(call.hub.url)' is not an event stream",
          url: call.hub.url)
      }
    } catch {
      task.cancel()
      inbox.close()
      throw error
    }
  }

  deinit { close() }

  private static func url(_ call: HubCall) -> String { call.hub.url + "/v1/stream" }

  private static func request(_ call: HubCall) -> HTTPRequest {
    var query = [(name: "protocol", value: "1")] + call.subscription.query
    query.append(("maxEventsPerSecond", "\(call.subscription.perSecond)"))
    if let last = call.last { query.append(("lastEventId", last)) }
    return HTTPRequest(
      url: url(call) + HubPeer.text(of: query),
      fields: [
        HTTPField("accept", "text/event-stream"), HTTPField("authorization", call.authorization),
      ], timeouts: HTTPTimeouts(connect: call.connect, idle: HubCall.silence, total: 0))
  }

  private static func body(_ inbox: FeedInbox, _ call: HubCall) throws(Failure) -> [UInt8] {
    var body: [UInt8] = []
    while body.count < longestRefusal {
      let (bytes, end) = try inbox.read(within: -1, call.interruption)
      guard end == nil else { break }
      body += bytes
    }
    return body
  }

  /// Waits for the next lines; see ``HubLine``.
  public func lines(within milliseconds: Int32) throws(Failure) -> [UInt8] {
    let (bytes, end) = try inbox.read(within: milliseconds, call.interruption)
    if let end { throw call.lost(end?.explanation) }
    var lines: [UInt8] = []
    for event in try parser.push(bytes) {
      lines += Array(event.data.utf8) + [0x0A]
    }
    // Before the first event, the hub sends a block that has only the id of the preceding event.
    if start == nil, lines.isEmpty, !parser.lastEventID.isEmpty { start = parser.lastEventID }
    return lines
  }

  /// Ends the connection; see ``HubLine``.
  public func close() {
    task.cancel()
    inbox.close()
  }
}
