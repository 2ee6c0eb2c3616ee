public import Core

/// The place where a journal finds its log.
public struct EventPlace: Sendable {
  /// Returns `true` if there is a log with any content.
  public var holdsLog: @Sendable () -> Bool
  /// Opens the log, and creates it if there is none.
  public var open: @Sendable () throws(Failure) -> any EventEngine

  /// Creates the place from two functions.
  public init(
    holdsLog: @escaping @Sendable () -> Bool,
    open: @escaping @Sendable () throws(Failure) -> any EventEngine
  ) {
    self.holdsLog = holdsLog
    self.open = open
  }
}
