import Core

/// A list of tools, as a source sent it at a time.
struct CachedList: Codable, Sendable {
  /// The seconds for which a list is offered whose source set no time.
  static let daySeconds = 86_400.0

  /// The time at which the list was read.
  var listedAt: Timestamp
  /// The milliseconds for which the source allows the list to be used; nil if it did not say.
  var ttlMs: Double?
  /// The revision of the protocol that the server spoke.
  var revision: String?
  /// The tools, in the order of the source.
  var tools: [ToolRecord]

  /// `true` if the source itself allows the list to be used at the given time.
  func isFresh(at now: Timestamp) -> Bool {
    guard let ttlMs, ttlMs.isFinite, ttlMs > 0 else { return false }
    return isYounger(than: ttlMs / 1000, at: now)
  }

  /// `true` if the list may be shown at the given time without asking the source.
  func isOffered(at now: Timestamp) -> Bool {
    guard let ttlMs, ttlMs.isFinite, ttlMs > 0 else {
      return isYounger(than: Self.daySeconds, at: now)
    }
    return isFresh(at: now)
  }

  /// A list from the future, written before a clock was set back, counts as old.
  private func isYounger(than seconds: Double, at now: Timestamp) -> Bool {
    let age = now.seconds(since: listedAt)
    return age >= 0 && age < seconds
  }

  /// The tools, each with the time of the list.
  var dated: [ToolRecord] {
    tools.map { tool in tool.with { $0.listedAt = listedAt } }
  }
}
