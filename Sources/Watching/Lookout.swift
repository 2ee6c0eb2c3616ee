public import Core
import Events
import Storage

/// Tells how everything stands at one place, moment after moment.
public protocol Lookout: Sendable {
  /// Looks at how everything stands now.
  func outlook() throws(Failure) -> any Outlook
}

/// That an answer is not what a hub says now.
public struct Staleness: Sendable, Hashable {
  /// The hub.
  public var hub: String
  /// The instant at which the hub said it.
  public var since: Timestamp
  /// The reason for which it is not asked anew, as it follows the hub's name in a sentence.
  public var reason: String

  /// Puts them together.
  public init(hub: String, since: Timestamp, reason: String) {
    (self.hub, self.since, self.reason) = (hub, since, reason)
  }
}

/// Tells how everything stands on this machine, with what was logged taken in.
public final class LocalLookout: Lookout {
  /// Opened once: who watches would be woken by a file that is opened.
  private let watcher: Watcher
  private let note: Note

  /// Opens what is known of this machine, and makes it where there is nothing.
  ///
  /// - Parameters:
  ///   - directories: Where the store and the log are.
  ///   - note: Is told of events that were gone before they were taken in.
  /// - Throws: `StorageFailed`.
  public init(_ directories: Directories, note: @escaping Note) throws(Failure) {
    self.note = note
    watcher = Watcher(
      store: try Store(forQuestionsIn: directories),
      journal: try EventJournal(opening: directories))
  }

  /// Looks at how everything stands now.
  ///
  /// - Throws: `StorageFailed`.
  public func outlook() throws(Failure) -> any Outlook {
    // What is shown to be the matter has been told: both look at one moment.
    let now = Timestamp.now
    for gap in try watcher.catchUp(at: now) {
      note(
        "events between \(gap.from) and \(gap.to ?? "now") were deleted before they were counted")
    }
    return watcher.standing(at: now)
  }
}
