public import ArgumentParser
public import Core

/// An instant in a form that people write.
///
/// It is an instant such as `2026-02-25T10:00:00Z`, or the time that has passed since, such as
/// `10m` or `90` (seconds).
public struct Moment: ExpressibleByArgument, Sendable {
  /// The instant.
  public let instant: Timestamp

  /// Creates an instant from RFC 3339 text or from a duration before now; nil for any other text.
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
