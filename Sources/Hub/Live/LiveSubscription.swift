import Core
import Events

/// A subscriber's view of the live stream.
///
/// It consists of the filter, the place in the ring, the rate, and the counts of suppressed events.
/// Every matching event counts as delivered or as suppressed.
final class LiveSubscription {
  /// The number of bytes after which a delivery stops.
  static let mostBytes = 256 << 10

  private var sieve: EventSieve
  private var perSecond: Int
  /// The place of the next event to deliver.
  private(set) var place: Int
  private var lastId: String?
  /// The log position up to which events were already delivered; nil when the ring has passed it.
  private var delivered: EventPosition?
  private var windowStart: Int64 = .min
  private var passed = 0
  private var suppressed: [Log.Level?: Int] = [:]
  private var suppressedSince: Int64 = 0
  private let counts: HubCounts

  /// Creates a subscription that begins at the given place in the ring.
  init(_ request: LiveRequest, at place: Int, counts: HubCounts) {
    self.counts = counts
    sieve = EventSieve(request.filter)
    perSecond = request.perSecond
    self.place = place
    lastId = request.last?.id
  }

  /// Changes the largest number of events per second.
  func setRate(_ perSecond: Int) { self.perSecond = perSecond }

  /// Moves the subscription to the given place, after all events up to the given id were delivered.
  func move(to place: Int, after id: String) {
    self.place = place
    (lastId, delivered) = (id, EventPosition(id))
  }

  /// A function that receives a line without its line end, and the event's id if it has one.
  typealias Give = (_ line: UnsafeBufferPointer<UInt8>, _ id: UnsafeBufferPointer<UInt8>?) -> Void

  /// Delivers the next lines.
  ///
  /// - Parameters:
  ///   - ring: The ring.
  ///   - now: The milliseconds of a monotonic clock.
  ///   - date: The current time.
  ///   - receive: Receives each line.
  /// - Returns: `true` if the ring may have more lines to deliver now.
  func deliver(
    from ring: LiveRing, at now: Int64, date: Timestamp, _ receive: Give
  ) -> Bool {
    turn(now, date, receive)
    let slice = ring.slice(from: place)
    if place < slice.first {
      reportLoss(to: slice, date, receive)
      place = slice.first
    }
    var bytes = 0
    for segment in slice.segments {
      let entries = segment.pack.entries
      var index = max(0, place - segment.first)
      while index < entries.count {
        let entry = entries[index]
        if !wasDelivered(entry, segment.pack), pass(entry, segment.pack) {
          receive(segment.pack.line(entry), segment.pack.id(entry))
          bytes += entry.count
        }
        index += 1
        if bytes >= Self.mostBytes { break }
      }
      place = max(place, segment.first + index)
      if index > 0 { lastId = segment.id(at: place - 1) }
      if bytes >= Self.mostBytes { return true }
    }
    return place < slice.next
  }

  /// Delivers the matching lines of the given part of the log.
  ///
  /// Its last event has the given id.
  func deliver(
    _ pack: EventPack, upTo id: String, at now: Int64, date: Timestamp, _ receive: Give
  ) {
    turn(now, date, receive)
    for entry in pack.entries where pass(entry, pack) { receive(pack.line(entry), pack.id(entry)) }
    lastId = id
  }

  private func wasDelivered(_ entry: EventPack.Entry, _ pack: EventPack) -> Bool {
    guard let delivered, let position = pack.position(entry) else { return false }
    if position.epoch == delivered.epoch, position.sequence <= delivered.sequence { return true }
    self.delivered = nil
    return false
  }

  /// Returns `true` if the given line must be delivered.
  ///
  /// A line that matches but is suppressed is counted.
  private func pass(_ entry: EventPack.Entry, _ pack: EventPack) -> Bool {
    // A gap is always delivered, since the missing events may have matched.
    if entry.isGap { return true }
    guard sieve.wants(entry, in: pack) else { return false }
    if entry.isExempt { return true }
    guard passed < perSecond else {
      suppressed[entry.level, default: 0] += entry.weight
      counts.suppress(entry.weight)
      return false
    }
    passed += 1
    return true
  }

  /// If the current second is over, reports its suppressed events and begins a new second.
  func turn(_ now: Int64, _ date: Timestamp, _ receive: Give) {
    guard windowStart == .min || now >= windowStart + 1000 else { return }
    reportSuppressed(date, receive)
    windowStart = now
    suppressedSince = date.milliseconds
    passed = 0
  }

  /// Reports the suppressed events that were not reported yet.
  private func reportSuppressed(_ date: Timestamp, _ receive: Give) {
    guard !suppressed.isEmpty else { return }
    for level in [nil] + Log.Level.allCases {
      guard let count = suppressed[level] else { continue }
      let record = Suppressed(
        ts: date.milliseconds, level: level?.rawValue, count: count, since: suppressedSince)
      Self.deliver(record, receive)
    }
    suppressed = [:]
  }

  private func reportLoss(to slice: LiveRing.Slice, _ date: Timestamp, _ receive: Give) {
    counts.countGap()
    let next = slice.segments.first.flatMap { $0.id(from: max($0.first, slice.first)) }
    Self.deliver(
      Gap(ts: date.milliseconds, from: lastId ?? "", to: next, reason: .slowConsumer), receive)
  }

  /// Delivers a record that the hub created.
  static func deliver(_ record: some StreamRecord, _ receive: Give) {
    guard let line = try? record.line() else { return }
    line.withUnsafeBufferPointer { receive($0, nil) }
  }
}
