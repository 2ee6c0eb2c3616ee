public import Core

/// The sums of a session's calls, compared with those that its program states.
///
/// The files of subagents are read later than that of the session. The sums are therefore compared
/// when the process has ended and all files were read.
public struct CallSums: Codable, Sendable {
  /// The sums that the last comparison accounted for.
  private var base: SessionTotal?
  /// The sums of the calls since then that the next stated sums include.
  private var counted = SessionTotal([:])
  /// The sums of later calls.
  private var later = SessionTotal([:])
  private var stated: SessionTotal?
  private var statedAt: Timestamp?
  /// The time of the first entry after the stated sums; nil if none followed.
  private var resumedAt: Timestamp?
  /// `true` if calls were made that were not added.
  private var isIncomplete = false
  /// `true` if no call was made since the stated sums that were compared last.
  public private(set) var isSettled = false
  /// The last stated sums, with their times, the oldest first.
  private var history: [Statement] = []

  private struct Statement: Codable {
    var at: Timestamp
    var total: SessionTotal
  }

  /// The largest number of stated sums that are stored, because forks begin with them.
  private static let most = 100

  /// Creates sums without calls.
  public init() {}

  /// Adds a call, or its increase.
  public mutating func add(_ entry: CallReports.Entry) {
    isSettled = false
    guard let model = entry.model, let usage = entry.usage else { return }
    let sum = SessionTotal.Sum(usage, costUSD: entry.costUSD ?? 0)
    if let resumedAt, entry.at >= resumedAt {
      later.add(sum, of: model)
    } else {
      counted.add(sum, of: model)
    }
  }

  /// Records that calls of the session are not added, or that calls of another one are.
  public mutating func lose() { isIncomplete = true }

  /// Records that the session goes on.
  public mutating func resume(at instant: Timestamp) {
    isSettled = false
    if stated != nil, resumedAt == nil { resumedAt = instant }
  }

  /// Records the sums that the program states.
  public mutating func state(_ total: SessionTotal, at instant: Timestamp) {
    // A file that is read again repeats its lines.
    guard total.grown(since: stated ?? base ?? SessionTotal([:])) != nil else { return }
    for (model, sum) in later.models { counted.add(sum, of: model) }
    (stated, statedAt, resumedAt, later) = (total, instant, nil, SessionTotal([:]))
    history = history.suffix(Self.most - 1) + [Statement(at: instant, total: total)]
  }

  /// `true` if the last thing that the process wrote are its sums, as at its end.
  public var isStatedLast: Bool { stated != nil && resumedAt == nil }

  /// The last stated sums at the given time; nil if there are none.
  public func total(at instant: Timestamp) -> SessionTotal? {
    history.last { $0.at <= instant }?.total
  }

  /// `true` if the sums of a fork have no base yet.
  public var needsBase: Bool { base == nil && stated != nil }

  /// Sets the sums with which a fork began.
  public mutating func begin(with total: SessionTotal) { base = total }

  /// Compares the sums with those that were stated last.
  ///
  /// - Returns: The sums of the calls that no entry reports, and the time of the statement; nil if
  ///   nothing was stated, or if the sums do not fit together.
  public mutating func settle() -> (total: SessionTotal, at: Timestamp)? {
    guard let stated, let statedAt else { return nil }
    let whole = stated.grown(since: base ?? SessionTotal([:]))
    let rest = isIncomplete ? nil : whole?.grown(since: counted)
    isSettled = rest != nil && resumedAt == nil
    (base, counted, later) = (stated, later, SessionTotal([:]))
    (self.stated, self.statedAt, resumedAt, isIncomplete) = (nil, nil, nil, false)
    return rest.map { ($0, statedAt) }
  }
}
