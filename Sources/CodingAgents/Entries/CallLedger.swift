public import Core

/// The model calls of sessions, each counted once.
///
/// A call is reported several times while its answer arrives, and again by forks, by resumed
/// sessions and by replays to subagents. The highest counts of a call are valid. If a subagent
/// replays a call of a session, the counts of the session are valid.
public struct CallLedger: Sendable {
  /// The counts of one call.
  public struct Entry: Sendable, Hashable {
    /// The session that made the call.
    public var session: SessionKey
    /// The model; nil if unknown.
    public var model: String?
    /// The tokens; nil if unknown.
    public var usage: Usage?
    /// The cost in US dollars; nil if unknown.
    public var costUSD: Double?
  }

  /// The calls, by their identity.
  public private(set) var calls: [String: Entry] = [:]

  /// Creates an empty ledger.
  public init() {}

  /// Adds the given report of a call.
  ///
  /// - Returns: The counts by which the call has grown; nil if it has not, if they are unknown, or if
  ///   it is a replay.
  @discardableResult
  public mutating func add(_ call: SessionCall, of session: SessionKey) -> Usage? {
    let new = Entry(
      session: session, model: call.model, usage: call.usage, costUSD: call.costUSD)
    guard var entry = calls[call.id] else {
      calls[call.id] = new
      return call.usage
    }
    let before = entry.usage
    if entry.session.subagent == nil, session.subagent != nil { return nil }
    if entry.session.subagent != nil, session.subagent == nil {
      entry = new
    } else {
      entry.usage = Usage.highest(before, call.usage)
      entry.costUSD = [entry.costUSD, call.costUSD].compactMap(\.self).max()
      entry.model = call.model ?? entry.model
    }
    calls[call.id] = entry
    return entry.usage == before ? nil : entry.usage?.grown(since: before ?? Usage())
  }
}
