import Core
import HTTP

/// The robots.txt of every host that was asked, each fetched once and good for a day.
actor RobotsDirectory {
  /// What is known about a host.
  enum Known: Sendable {
    case rules(RobotsRules)
    /// Nobody knows what the host allows, so nothing is.
    case unreachable(Failure)
  }

  /// Seconds for which a file is used (RFC 9309 section 2.4).
  static let lifetime = 86_400.0
  /// Beyond so many hosts all are forgotten; those that are being fetched go on.
  private static let maximumHosts = 10_000

  private struct Entry {
    var known: Task<Known, Never>
    var until: ContinuousClock.Instant
  }

  private var entries: [String: Entry] = [:]

  /// What is known about an origin; the first one to ask has it fetched, the others wait for that.
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
    // What was given up tells nothing of the host.
    if case .unreachable(let failure) = known, failure.code == .interrupted {
      entries[origin] = nil
    }
    return known
  }
}
