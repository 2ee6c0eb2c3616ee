public import Core

/// Where a journal finds what keeps its events.
public struct EventPlace: Sendable {
  /// Whether a log is there that holds anything.
  public var holdsLog: @Sendable () -> Bool
  /// Opens the log, and makes it where there is none.
  public var open: @Sendable () throws(Failure) -> any EventEngine

  /// Creates the place.
  public init(
    holdsLog: @escaping @Sendable () -> Bool,
    open: @escaping @Sendable () throws(Failure) -> any EventEngine
  ) {
    self.holdsLog = holdsLog
    self.open = open
  }
}
