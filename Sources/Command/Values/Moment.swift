public import ArgumentParser
public import Core

/// An instant as people write it: `2026-02-25T10:00:00Z`, `10m` for ten minutes ago, or `90` for
/// ninety seconds ago.
public struct Moment: ExpressibleByArgument, Sendable {
  /// The instant.
  public let instant: Timestamp

  /// Creates an instant from RFC 3339 or a duration before now; nil for any other text.
  public init?(argument: String) {
    if let instant = Timestamp(iso8601: argument) {
      self.instant = instant
      return
    }
    guard let ago = Seconds(argument: argument) else {
      ValueForms.record(
        argument, "a time such as 2026-02-25T10:00:00Z, or an age such as 90s, 10m, 2h, 3d")
      return nil
    }
    instant = Timestamp.now.adding(seconds: -ago.value)
  }
}
