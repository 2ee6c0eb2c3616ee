/// How much of a log is kept; what is older goes as new events come.
public struct EventBounds: Sendable, Hashable {
  /// How many events.
  public var count = 200_000
  /// How many bytes of the file are in use.
  public var bytes = 256 << 20
  /// For how many seconds.
  public var seconds: Double = 7 * 86_400

  /// What is kept unless told otherwise: 200,000 events, 256 MiB and a week.
  public init() {}
}
