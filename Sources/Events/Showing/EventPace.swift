import Core

/// A rate limit that keeps a flood of events readable.
///
/// Equal log records are merged, and events beyond the rate are only counted. Errors, decisions and
/// reports of missing events are never suppressed. Every received event is either written or
/// counted as suppressed.
struct EventPace {
  /// The time in milliseconds for which an event waits, so that equal events can be merged with it.
  static let delay: Int64 = 150
  /// The number of waiting bytes above which the waiting events are written at once.
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

  /// Creates the rate limit.
  ///
  /// - Parameter perSecond: The number of events per second; nil for no limit.
  init(perSecond: Int?) {
    self.perSecond = perSecond
  }

  /// The time at which output is due, in milliseconds of the caller's clock; nil if no event waits.
  var due: Int64? {
    let told = suppressed.isEmpty ? nil : second.map { $0 + 1000 }
    return [oldest.map { $0 + Self.delay }, told].compactMap(\.self).min()
  }

  /// Adds the given event; if it is beyond the rate, only counts it.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - now: The milliseconds of a monotonic clock.
  ///   - date: The current time.
  mutating func add(_ event: EventLine, now: Int64, date: Timestamp) {
    if second.map({ now >= $0 + 1000 }) ?? true {
      reportSuppressed(date)
      second = now
      secondStart = date.milliseconds
      passed = 0
    }
    let identity = event.identity
    if let identity, let index = indices[identity] {
      entries[index].count += 1
      return
    }
    if !event.isExempt, let perSecond {
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

  /// Returns `true` if output is due.
  func isDue(_ now: Int64) -> Bool {
    byteCount > Self.maximumBytes || due.map { $0 <= now } ?? false
  }

  /// Removes and returns the lines that are due, in order.
  ///
  /// - Parameters:
  ///   - now: The milliseconds of a monotonic clock; nil at the end of the input, when everything
  ///     is due.
  ///   - date: The current time.
  /// - Returns: The lines, without line feeds.
  /// - Throws: `BadInput` if a line is not a valid record. Lines from ``add(_:now:date:)`` are
  ///   always valid.
  mutating func removeDue(now: Int64?, date: Timestamp) throws(Failure) -> [[UInt8]] {
    if now == nil || second.map({ $0 + 1000 <= now ?? 0 }) ?? false {
      reportSuppressed(date)
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

  private mutating func reportSuppressed(_ date: Timestamp) {
    for level in [nil] + Log.Level.allCases {
      guard let count = suppressed[level], count > 0 else { continue }
      let record = Suppressed(
        ts: date.milliseconds, level: level?.rawValue, count: count, since: secondStart)
      // This record can always be encoded.
      guard let line = try? record.line() else { continue }
      add(line, second ?? 0)
    }
    suppressed = [:]
  }
}
