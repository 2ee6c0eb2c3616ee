/// An event of a `text/event-stream`, as defined by the HTML standard's "server-sent events".
public struct ServerSentEvent: Sendable, Hashable {
  /// The type of the event; `message` if the stream gives none.
  public var event: String
  /// The data lines, joined by LF.
  public var data: String
  /// The last event id at this event; empty if there is none.
  public var id: String
  /// The reconnection time in milliseconds at this event; nil if the stream has not set one.
  public var retry: Int?

  /// Creates an event.
  public init(event: String = "message", data: String, id: String = "", retry: Int? = nil) {
    self.event = event
    self.data = data
    self.id = id
    self.retry = retry
  }
}
