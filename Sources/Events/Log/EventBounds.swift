/// The bounds of a log; older events are deleted as new ones are added.
public struct EventBounds: Sendable, Hashable {
  /// The largest number of events.
  public var count = 200_000
  /// The largest number of bytes in use in the file.
  public var bytes = 256 << 20
  /// The largest age in seconds.
  public var seconds: Double = 7 * 86_400

  /// Creates the default bounds: 200,000 events, 256 MiB and a week.
  public init() {}
}
