public import Core

/// The model calls of sessions, each counted once.
///
/// A call is reported several times while its answer arrives, and again by forks, by resumed
/// sessions and by replays to subagents. The highest counts of a call are valid. Of a call and its
/// replay in a subagent, the call is valid.
public struct CallLedger: Sendable {
  /// The counts of one call.
  public struct Entry: Sendable, Hashable {
    /// The session that made the call.
    public var session: SessionKey
    /// The model; nil if unknown.
    public var model: String?
    /// The tokens.
    public var usage: Usage
    /// The cost in US dollars; nil if unknown.
    public var costUSD: Double?
    fileprivate var replayId: String?
  }

  private var entries: [String: Entry] = [:]
  /// The identities of calls of sessions themselves, by the ids that replays share with them.
  private var mains: [String: String] = [:]

  /// Creates an empty ledger.
  public init() {}

  /// The calls that count, by their identity.
  public var calls: [String: Entry] { entries.filter { !isReplay($0.key) } }

  /// Returns `true` if the given call is the replay of another one.
  public func isReplay(_ id: String) -> Bool {
    guard let entry = entries[id], entry.session.subagent != nil, let replayId = entry.replayId
    else { return false }
    return mains[replayId].map { $0 != id } ?? false
  }

  /// Adds the given report of a call.
  ///
  /// - Returns: The counts by which the call has grown; nil if it has not, or if it is a replay.
  @discardableResult
  public mutating func add(_ call: SessionCall, of session: SessionKey) -> Usage? {
    if let replayId = call.replayId, session.subagent == nil { mains[replayId] = call.id }
    let known = entries[call.id]
    let usage = known?.usage.highest(call.usage) ?? call.usage
    let costUSD = [known?.costUSD, call.costUSD].compactMap(\.self).max()
    // A session that made the call itself has precedence over a subagent that repeats it.
    let owner = known.map { $0.session.subagent == nil ? $0.session : session } ?? session
    entries[call.id] = Entry(
      session: owner, model: call.model ?? known?.model, usage: usage, costUSD: costUSD,
      replayId: call.replayId)
    guard !isReplay(call.id) else { return nil }
    guard let known else { return usage }
    return usage == known.usage ? nil : usage.grown(since: known.usage)
  }
}
