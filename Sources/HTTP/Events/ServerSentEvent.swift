/// An event of a `text/event-stream`, as the HTML standard's section on server-sent events defines
/// it.
public struct ServerSentEvent: Sendable, Hashable {
  /// The event's type; `message` if the stream does not name one.
  public var event: String
  /// The event's data lines, joined by line feeds.
  public var data: String
  /// The id of this event or of the latest earlier event with an id; empty if there is none.
  public var id: String
  /// The reconnection time in milliseconds that applied when the event ended.
  ///
  /// It is nil if the stream had not set one.
  public var retry: Int?

  /// Creates an event.
  public init(event: String = "message", data: String, id: String = "", retry: Int? = nil) {
    self.event = event
    self.data = data
    self.id = id
    self.retry = retry
  }
}
