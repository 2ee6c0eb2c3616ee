public import Core
import Events
import Storage

/// A source of successive outlooks on one place.
public protocol Lookout: Sendable {
  /// Returns the current outlook.
  func outlook() throws(Failure) -> any Outlook
}

/// The age of a stored answer, which is not the hub's current one.
public struct Staleness: Sendable, Hashable {
  /// The hub's name.
  public var hub: String
  /// The time of the hub's answer.
  public var since: Timestamp
  /// The reason why the hub is not queried again, as a phrase after the hub's name.
  public var reason: String

  /// Creates the staleness.
  public init(hub: String, since: Timestamp, reason: String) {
    (self.hub, self.since, self.reason) = (hub, since, reason)
  }
}

/// A source of outlooks on this machine, after new events were processed.
public final class LocalLookout: Lookout {
  /// The watcher, opened once, because opening a file would wake those who watch it.
  private let watcher: Watcher
  private let note: Note

  /// Opens the store and the log of this machine, and creates them if they do not exist.
  ///
  /// - Parameters:
  ///   - directories: The directories of the store and the log.
  ///   - note: A closure that receives messages on events that were removed before they were
  ///     processed.
  /// - Throws: `StorageFailed`.
  public init(_ directories: Directories, note: @escaping Note) throws(Failure) {
    self.note = note
    watcher = Watcher(
      store: try Store(forQuestionsIn: directories),
      journal: try EventJournal(opening: directories))
  }

  /// Returns the current outlook.
  ///
  /// - Throws: `StorageFailed`.
  public func outlook() throws(Failure) -> any Outlook {
    // The alerts and the outlook use the same time, so that they agree.
    let now = Timestamp.now
    for gap in try watcher.catchUp(at: now) {
      note("events between \(gap.from) and \(gap.to ?? "now") were gone uncounted")
    }
    return watcher.standing(at: now)
  }
}
