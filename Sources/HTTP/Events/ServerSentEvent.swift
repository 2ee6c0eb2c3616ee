/// One dispatched event of a `text/event-stream`, by the HTML standard's "server-sent events".
public struct ServerSentEvent: Sendable, Hashable {
  /// The event's type, `message` where the stream named none.
  public var event: String
  /// The data lines, joined by LF.
  public var data: String
  /// The last event id in force, empty where none is.
  public var id: String
  /// The reconnection time in force, in milliseconds, where the stream set one.
  public var retry: Int?

  /// Creates an event.
  public init(event: String = "message", data: String, id: String = "", retry: Int? = nil) {
    self.event = event
    self.data = data
    self.id = id
    self.retry = retry
  }
}
