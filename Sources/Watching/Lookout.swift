public import Core
import Events
import Storage

/// A source of the watched state, on this machine or on a hub; see ``Outlook``.
public protocol Lookout: Sendable {
  /// Returns the watched state at this moment.
  func outlook() throws(Failure) -> any Outlook
}

/// The age of a stored answer, which is used because its hub cannot be queried at the moment.
public struct Staleness: Sendable, Hashable {
  /// The name of the hub.
  public var hub: String
  /// The time at which the hub gave the answer.
  public var since: Timestamp
  /// The reason why the hub cannot be queried, as a phrase that follows the hub's name.
  public var reason: String

  /// Creates the staleness.
  public init(hub: String, since: Timestamp, reason: String) {
    (self.hub, self.since, self.reason) = (hub, since, reason)
  }
}

/// A source of the watched state on this machine.
///
/// New events are processed before each query.
public final class LocalLookout: Lookout {
  /// The watcher.
  ///
  /// It is opened only once, because each opening would wake processes that watch the files.
  private let watcher: Watcher
  private let report: NoticeHandler

  /// Opens the store and the log of this machine, or creates them if they do not exist.
  ///
  /// - Parameters:
  ///   - directories: The directories of the store and the log.
  ///   - report: A closure that receives a message if events were removed before they were
  ///     processed.
  /// - Throws: `StorageFailed` if the store or the log cannot be opened.
  public init(_ directories: Directories, report: @escaping NoticeHandler) throws(Failure) {
    self.report = report
    watcher = Watcher(
      store: try Store(forQuestionsIn: directories),
      journal: try EventJournal(opening: directories))
  }

  /// Processes new events, and returns the watched state at this moment.
  ///
  /// - Throws: `StorageFailed` if the store or the log cannot be read.
  public func outlook() throws(Failure) -> any Outlook {
    // The alerts and the outlook use the same time, so that they are consistent.
    let now = Timestamp.now
    for gap in try watcher.catchUp(at: now) {
      report(
        "events between \(gap.from) and \(gap.to ?? "now") were deleted before they were counted")
    }
    return watcher.standing(at: now)
  }
}
