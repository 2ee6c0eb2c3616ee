import Core
import Events

/// What one reader of the live stream gets: the events after its place that it asked for, no more of
/// them a second than it takes, and the counts of the others.
///
/// What it gets and what it is told of as suppressed add up to what came and was asked for.
final class LiveSubscription {
  /// So many bytes are given at once.
  static let mostBytes = 256 << 10

  private var sieve: EventSieve
  private var perSecond: Int
  /// Where it goes on.
  private(set) var place: Int
  private var lastId: String?
  /// The event up to which everything was given while the log was ahead of the ring.
  private var given: EventPosition?
  private var windowStart: Int64 = .min
  private var passed = 0
  private var suppressed: [Log.Level?: Int] = [:]
  private var suppressedSince: Int64 = 0
  private let counts: HubCounts

  /// Begins at a place.
  init(_ request: LiveRequest, at place: Int, counts: HubCounts) {
    self.counts = counts
    sieve = EventSieve(request.filter)
    perSecond = request.perSecond
    self.place = place
    lastId = request.last?.id
  }

  /// Changes how many events a second are given.
  func setRate(_ perSecond: Int) { self.perSecond = perSecond }

  /// Goes on elsewhere, having been given everything up to an event.
  func move(to place: Int, after id: String) {
    self.place = place
    (lastId, given) = (id, EventPosition(id))
  }

  /// Is given each line without its end, and the event's id where it has one.
  typealias Give = (_ line: UnsafeBufferPointer<UInt8>, _ id: UnsafeBufferPointer<UInt8>?) -> Void

  /// Gives the next lines.
  ///
  /// - Parameters:
  ///   - ring: The events.
  ///   - now: Milliseconds of a clock that only goes forward.
  ///   - date: The present.
  ///   - give: Is given each line.
  /// - Returns: Whether there may be more at once.
  func take(
    from ring: LiveRing, at now: Int64, date: Timestamp, _ give: Give
  ) -> Bool {
    turn(now, date, give)
    let slice = ring.slice(from: place)
    if place < slice.first {
      tellLoss(to: slice, date, give)
      place = slice.first
    }
    var bytes = 0
    for segment in slice.segments {
      let notes = segment.pack.notes
      var index = max(0, place - segment.first)
      while index < notes.count {
        let note = notes[index]
        if !wasGiven(note, segment.pack), pass(note, segment.pack) {
          give(segment.pack.line(note), segment.pack.id(note))
          bytes += note.count
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

  /// Gives those lines of a part of the log that are asked for; it ends with the event of an id.
  func take(
    _ pack: EventPack, upTo id: String, at now: Int64, date: Timestamp, _ give: Give
  ) {
    turn(now, date, give)
    for note in pack.notes where pass(note, pack) { give(pack.line(note), pack.id(note)) }
    lastId = id
  }

  private func wasGiven(_ note: EventPack.Note, _ pack: EventPack) -> Bool {
    guard let given, let position = pack.position(note) else { return false }
    if position.epoch == given.epoch, position.sequence <= given.sequence { return true }
    self.given = nil
    return false
  }

  /// Whether a line is given; it is counted where it is not, though it was asked for.
  private func pass(_ note: EventPack.Note, _ pack: EventPack) -> Bool {
    // What is missing might have been wanted.
    if note.isGap { return true }
    guard sieve.wants(note, in: pack) else { return false }
    if note.isKept { return true }
    guard passed < perSecond else {
      suppressed[note.level, default: 0] += note.weight
      counts.suppress(note.weight)
      return false
    }
    passed += 1
    return true
  }

  /// Begins another second where one is over, and tells what was left out in the one before.
  func turn(_ now: Int64, _ date: Timestamp, _ give: Give) {
    guard windowStart == .min || now >= windowStart + 1000 else { return }
    tellSuppressed(date, give)
    windowStart = now
    suppressedSince = date.milliseconds
    passed = 0
  }

  /// Tells what was left out and not told yet.
  private func tellSuppressed(_ date: Timestamp, _ give: Give) {
    guard !suppressed.isEmpty else { return }
    for level in [nil] + Log.Level.allCases {
      guard let count = suppressed[level] else { continue }
      let record = Suppressed(
        ts: date.milliseconds, level: level?.rawValue, count: count, since: suppressedSince)
      Self.give(record, give)
    }
    suppressed = [:]
  }

  private func tellLoss(to slice: LiveRing.Slice, _ date: Timestamp, _ give: Give) {
    counts.countGap()
    let next = slice.segments.first.flatMap { $0.id(from: max($0.first, slice.first)) }
    Self.give(
      Gap(ts: date.milliseconds, from: lastId ?? "", to: next, reason: .slowConsumer), give)
  }

  /// Gives a record of our own, which can always be written.
  static func give(_ record: some StreamRecord, _ give: Give) {
    guard let line = try? record.line() else { return }
    line.withUnsafeBufferPointer { give($0, nil) }
  }
}
