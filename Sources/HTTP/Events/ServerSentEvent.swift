/// One dispatched event of a `text/event-stream`, by the HTML standard's "server-sent events".
public struct ServerSentEvent: Sendable, Hashable {
  /// The event's type, `message` if the stream named none.
  public var event: String
  /// The data lines, joined by LF.
  public var data: String
  /// The current last event id, or empty.
  public var id: String
  /// The current reconnection time in milliseconds, if the stream set one.
  public var retry: Int?

  /// Creates an event.
  public init(event: String = "message", data: String, id: String = "", retry: Int? = nil) {
    self.event = event
    self.data = data
    self.id = id
    self.retry = retry
  }
}
