/// The bounds of a log.
///
/// The oldest events beyond them are deleted.
public struct EventBounds: Sendable, Hashable {
  /// The largest number of events.
  public var count = 200_000
  /// The largest number of bytes that the log may use in its file.
  public var bytes = 256 << 20
  /// The largest age of an event in seconds.
  public var seconds: Double = 7 * 86_400

  /// Creates the default bounds: 200,000 events, 256 MiB and one week.
  public init() {}
}
