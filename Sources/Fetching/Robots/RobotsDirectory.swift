import Core
import HTTP

/// The robots.txt files of hosts. Each is fetched once and used for a day.
actor RobotsDirectory {
  /// The rules of an origin, or the failure to fetch them.
  enum Known: Sendable {
    case rules(RobotsRules)
    /// The rules could not be fetched. No page of the origin may be fetched either.
    case unreachable(Failure)
  }

  /// The time, in seconds, for which a fetched file is used (RFC 9309, section 2.4).
  static let lifetime = 86_400.0
  /// The number of known hosts at which all hosts are forgotten.
  private static let maximumHosts = 10_000

  private struct Entry {
    var known: Task<Known, Never>
    var until: ContinuousClock.Instant
  }

  private var entries: [String: Entry] = [:]

  /// Returns the rules of the given origin.
  ///
  /// The first caller starts the fetch, and other callers wait for it.
  func known(_ origin: String, fetch: @escaping @Sendable () async -> Known) async -> Known {
    let now = ContinuousClock.now
    let task: Task<Known, Never>
    if let entry = entries[origin], entry.until > now {
      task = entry.known
    } else {
      if entries.count >= Self.maximumHosts { entries = [:] }
      task = Task { await fetch() }
      entries[origin] = Entry(known: task, until: now + .seconds(Self.lifetime))
    }
    let known = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    // A cancelled fetch says nothing about the host.
    if case .unreachable(let failure) = known, failure.code == .interrupted {
      entries[origin] = nil
    }
    return known
  }
}
