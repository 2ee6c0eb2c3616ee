public import Core

/// The model calls of a session, each reported once with its highest counts.
///
/// A call is written again while its answer arrives. It is therefore reported when it is closed: by
/// its end, or by a later entry of the same conversation. If it grows afterwards, the increase is
/// reported. A call without any tokens has only begun; nothing but its end closes it.
public struct CallReports: Codable, Sendable {
  /// A call, and what was reported of it.
  public struct Entry: Codable, Sendable {
    /// The id of the call.
    public var id: String
    /// The model; nil if unknown.
    public var model: String?
    /// The tokens; nil if unknown.
    public var usage: Usage?
    /// The cost in US dollars; nil if unknown.
    public var costUSD: Double?
    /// The subagent that made the call; nil for the session itself.
    public var subagent: String?
    /// The time of the last report.
    public var at: Timestamp
    /// The size of the context in tokens; nil if unknown.
    public var contextTokens: Int?
    var reported: Usage?
    var reportedCost: Double?
    /// A word that distinguishes the events of one call.
    public var version = ""
    /// `true` if the cost was unknown when the call was last reported.
    public var wasUnpriced: Bool?
    /// `true` if the counts are the increase of a call that was reported before.
    public var isIncrease: Bool { !version.isEmpty }

    /// `true` if the call has neither tokens nor a cost yet.
    fileprivate var isBlank: Bool { usage?.totalTokens == 0 && costUSD ?? 0 == 0 }

    /// Records that the call is reported as it is.
    fileprivate mutating func setReported() {
      (reported, reportedCost) = (usage ?? Usage(), costUSD)
    }

    /// The increase since the last report; nil if there is none.
    fileprivate var news: Entry? {
      guard let reported else { return self }
      let cost = costUSD.map { max(0, $0 - (reportedCost ?? 0)) }
      guard let usage, let grown = usage.grown(since: reported),
        grown.totalTokens > 0 || cost ?? 0 > 0
      else { return nil }
      var news = self
      news.version = ":\(usage.totalTokens)"
      if grown.totalTokens == 0, let costUSD { news.version += ":\(costUSD)" }
      (news.usage, news.costUSD, news.wasUnpriced) = (grown, cost, reportedCost == nil)
      return news
    }
  }

  /// The largest number of closed calls that are stored, because they may grow.
  private static let most = 64

  private var entries: [String: Entry] = [:]
  private var order: [String] = []
  private var open: [String] = []
  /// The sums of all calls that were closed; nil in the state that an earlier version stored.
  public var sums: CallSums? = CallSums()

  /// Creates an empty book.
  public init() {}

  /// `true` if calls are open that have tokens.
  public var hasOpen: Bool { open.contains { entries[$0]?.isBlank == false } }

  /// Returns `true` if the call with the given id is stored.
  public func contains(_ id: String) -> Bool { entries[id] != nil }

  /// Adds a report of a call.
  ///
  /// - Returns: `true` if the call is new.
  public mutating func add(
    _ call: SessionCall, costUSD cost: Double?, of subagent: String?, at instant: Timestamp
  ) -> Bool {
    guard var entry = entries[call.id] else {
      entries[call.id] = Entry(
        id: call.id, model: call.model, usage: call.usage, costUSD: cost, subagent: subagent,
        at: instant, contextTokens: call.contextTokens)
      order.append(call.id)
      open.append(call.id)
      return true
    }
    // A subagent may replay a call of its session, with other counts.
    if entry.subagent == nil, subagent != nil { return false }
    let (before, costBefore) = (entry.usage, entry.costUSD)
    if entry.subagent != nil, subagent == nil {
      (entry.usage, entry.subagent, entry.costUSD) = (call.usage, nil, cost)
    } else {
      entry.usage = Usage.highest(before, call.usage)
      entry.costUSD = [entry.costUSD, cost].compactMap(\.self).max()
      entry.model = call.model ?? entry.model
    }
    entry.at = max(entry.at, instant)
    entry.contextTokens = call.contextTokens ?? entry.contextTokens
    let hasGrown = entry.usage != before || entry.costUSD != costBefore
    if hasGrown, !open.contains(call.id) { open.append(call.id) }
    entries[call.id] = entry
    return false
  }

  /// Closes calls.
  ///
  /// - Parameters:
  ///   - whole: The id of a call that has ended.
  ///   - isChosen: Returns `true` if the given call is to be closed.
  /// - Returns: The closed calls with the usage that was not reported before.
  public mutating func close(whole: String? = nil, where isChosen: (Entry) -> Bool) -> [Entry] {
    var closed: [Entry] = []
    for id in open {
      guard var entry = entries[id], isChosen(entry), !entry.isBlank || id == whole else {
        continue
      }
      open.removeAll { $0 == id }
      guard let report = entry.news else { continue }
      entry.setReported()
      entries[id] = entry
      sums?.add(report)
      closed.append(report)
    }
    forget()
    return closed
  }

  /// Removes the open calls up to the given time, which are too old to be reported.
  public mutating func skip(upTo instant: Timestamp) {
    for id in open {
      guard var entry = entries[id], entry.at <= instant else { continue }
      if let news = entry.news { sums?.add(news) }
      entry.setReported()
      entries[id] = entry
      open.removeAll { $0 == id }
    }
    forget()
  }

  private mutating func forget() {
    guard order.count > 2 * Self.most else { return }
    let old = order.dropLast(Self.most).filter { !open.contains($0) }
    for id in old { entries[id] = nil }
    // Calls that never got tokens are no longer expected to.
    let blank = open.filter { entries[$0]?.isBlank ?? true }.dropLast(Self.most)
    open.removeAll { blank.contains($0) }
    order.removeAll { entries[$0] == nil }
  }
}
