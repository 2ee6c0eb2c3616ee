import Core

/// Keeps a flood of events readable: logs that say the same become one, and beyond a rate events
/// are counted instead of told.
///
/// Errors, decisions, and what tells of missing events are never left out. The counts of what
/// leaves and of what is left out add up to those of what came.
struct EventPace {
  /// Events that wait are told after so long; until then the same ones can join them.
  static let delay: Int64 = 150
  /// More bytes than these do not wait.
  private static let maximumBytes = 1 << 20

  private struct Entry {
    var bytes: [UInt8]
    var count = 1
  }

  private let perSecond: Int?
  private var entries: [Entry] = []
  private var indices: [[UInt8]: Int] = [:]
  private var byteCount = 0
  private var oldest: Int64?
  private var second: Int64?
  private var secondStart: Int64 = 0
  private var passed = 0
  private var suppressed: [Log.Level?: Int] = [:]

  /// Creates the pace.
  ///
  /// - Parameter perSecond: How many events a second are told; nil for all.
  init(perSecond: Int?) {
    self.perSecond = perSecond
  }

  /// When there is something to tell, by the clock that the caller reads; nil when nothing waits.
  var due: Int64? {
    let told = suppressed.isEmpty ? nil : second.map { $0 + 1000 }
    return [oldest.map { $0 + Self.delay }, told].compactMap(\.self).min()
  }

  /// Adds an event, or counts it.
  ///
  /// - Parameters:
  ///   - event: What came.
  ///   - now: Milliseconds of a clock that only goes forward.
  ///   - date: The present.
  mutating func add(_ event: EventLine, now: Int64, date: Timestamp) {
    if second.map({ now >= $0 + 1000 }) ?? true {
      tellSuppressed(date)
      second = now
      secondStart = date.milliseconds
      passed = 0
    }
    let identity = event.identity
    if let identity, let index = indices[identity] {
      entries[index].count += 1
      return
    }
    if !event.isKept, let perSecond {
      guard passed < perSecond else {
        suppressed[event.level, default: 0] += event.weight
        return
      }
      passed += 1
    }
    if let identity { indices[identity] = entries.count }
    add(Array(event.bytes), now)
  }

  private mutating func add(_ bytes: [UInt8], _ now: Int64) {
    entries.append(Entry(bytes: bytes))
    byteCount += bytes.count
    oldest = oldest ?? now
  }

  /// Whether what waits has to be told now.
  func isDue(_ now: Int64) -> Bool {
    byteCount > Self.maximumBytes || due.map { $0 <= now } ?? false
  }

  /// Removes what is to be told and gives it, as lines, in order.
  ///
  /// - Parameters:
  ///   - now: As for ``add(_:now:date:)``; nil at the end, when counts are told early.
  ///   - date: The present.
  /// - Returns: Lines without line feeds.
  /// - Throws: `BadInput`, never for lines that were checked.
  mutating func removeDue(now: Int64?, date: Timestamp) throws(Failure) -> [[UInt8]] {
    if now == nil || second.map({ $0 + 1000 <= now ?? 0 }) ?? false {
      tellSuppressed(date)
      second = nil
    }
    defer {
      entries = []
      indices = [:]
      byteCount = 0
      oldest = nil
    }
    var lines: [[UInt8]] = []
    for entry in entries {
      lines.append(
        entry.count == 1
          ? entry.bytes : try RawRecord(line: entry.bytes).setting("count", to: "\(entry.count)"))
    }
    return lines
  }

  private mutating func tellSuppressed(_ date: Timestamp) {
    for level in [nil] + Log.Level.allCases {
      guard let count = suppressed[level], count > 0 else { continue }
      let record = Suppressed(
        ts: date.milliseconds, level: level?.rawValue, count: count, since: secondStart)
      // Numbers and a word of ours can always be written.
      guard let line = try? record.line() else { continue }
      add(line, second ?? 0)
    }
    suppressed = [:]
  }
}
