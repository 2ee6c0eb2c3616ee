import Core
import Events
import OTLP

/// The next events of the log, converted to requests for a collector.
struct ForwardingBatch: Sendable {
  /// The requests, in the order in which they must be sent.
  var bodies: [OTLPWriter.Body] = []
  /// The number of events that cannot be converted.
  var unsent = 0
  /// The id of the last event in the batch; nil at the end of the log.
  var last: String?
  /// The gap record that reports events that were deleted before they were sent; nil if there are
  /// none.
  var gap: Gap?

  /// The limits of a batch and of its requests.
  ///
  /// These are the number of events, their approximate size, and the size of a request's body in
  /// bytes (opentelemetry-proto, docs/specification.md).
  private static let most = (events: 1000, bytes: 4 << 20, body: 20 << 20)

  /// Reads the events after the event with the id `last`.
  ///
  /// - Throws: `StorageFailed` if the log cannot be read.
  init(
    _ journal: EventJournal, after last: String?, _ writer: inout OTLPWriter
  ) throws(Failure) {
    guard let batch = try journal.readExisting(after: last, limit: Self.most.events) else { return }
    gap = batch.last == nil ? nil : batch.gap
    var events: [any Event] = []
    var bytes = 0
    for entry in batch.entries {
      let raw = try? RawRecord(line: Array(entry.line.utf8))
      guard let raw, var event = try? EventTypes.event(raw) else {
        unsent += 1
        continue
      }
      event.head.host = event.head.host ?? EventHost.own
      if bytes > 0, bytes + raw.bytes.count > Self.most.bytes { break }
      bytes += raw.bytes.count
      events.append(event)
    }
    self.last = events.count + unsent < batch.entries.count ? events.last?.head.id : batch.last
    add(events, &writer)
  }

  private mutating func add(_ events: [any Event], _ writer: inout OTLPWriter) {
    guard !events.isEmpty else { return }
    var next = writer
    if let bodies = try? next.requests(for: events),
      bodies.allSatisfy({ $0.bytes.count <= Self.most.body })
    {
      writer = next
      self.bodies += bodies
      return
    }
    guard events.count > 1 else {
      unsent += 1
      return
    }
    add(Array(events.prefix(events.count / 2)), &writer)
    add(Array(events.suffix(events.count - events.count / 2)), &writer)
  }
}
