import Core
import Events
import NIOCore

/// The live stream as server-sent events (WHATWG HTML, 9.2).
///
/// Each has the id that the event has in the log.
struct LiveFeed: Sendable {
  let ring: LiveRing
  let desk: HubDesk
  let counts: HubCounts
  /// Returns `true` if the hub is shutting down.
  let isEnding: @Sendable () -> Bool

  /// The number of milliseconds without events after which a comment is sent as a sign of life.
  private static let silence: Int64 = 15_000

  /// Streams matching events until the subscriber disconnects or the hub shuts down.
  ///
  /// A revoked device receives the revocation and nothing else.
  ///
  /// - Parameters:
  ///   - request: The subscription.
  ///   - opening: The subscriber's entry in the list of openings.
  ///   - write: Sends bytes. It returns when there is room for more, and throws if the subscriber
  ///     is gone.
  /// - Throws: The errors of `write`; `StorageFailed` if the log cannot be read.
  func run(
    _ request: LiveRequest, _ opening: Opening, _ write: (ByteBuffer) async throws -> Void
  ) async throws {
    let end = ring.end
    let start = request.last ?? end.last
    // This block has no data. It sets the id after which a client resumes if it loses the
    // connection before the first event.
    var buffer = ByteBuffer(
      string: ": agentpipes\n" + (start.epoch.isEmpty ? "" : "id: \(start.id)\n") + "\n")
    try await write(buffer)
    let subscription = LiveSubscription(request, at: end.place, counts: counts)
    if let last = request.last {
      try await resume(subscription, after: last, opening, write)
    }
    var quietSince = EventOutput.monotonic()
    while !isEnding() {
      let now = EventOutput.monotonic()
      buffer.clear()
      if let failure = opening.reason {
        LiveSubscription.deliver(ErrorRecord(failure, tool: "hub-serve")) {
          Self.append($0, $1, to: &buffer)
        }
        return try await write(buffer)
      }
      let hasMore = subscription.deliver(from: ring, at: now, date: .now) {
        Self.append($0, $1, to: &buffer)
      }
      if buffer.readableBytes == 0, now >= quietSince + Self.silence {
        buffer.writeString(": \n\n")
      }
      if buffer.readableBytes > 0 {
        quietSince = now
        try await write(buffer)
      }
      if !hasMore { await ring.more(than: subscription.place) }
    }
  }

  /// Sends the events in the log from the given position up to the start of the ring.
  private func resume(
    _ subscription: LiveSubscription, after last: EventPosition, _ opening: Opening,
    _ write: (ByteBuffer) async throws -> Void
  ) async throws {
    var last = last
    while !isEnding(), opening.reason == nil {
      if case .at(let place) = ring.place(after: last) {
        return subscription.move(to: place, after: last.id)
      }
      let (desk, id) = (desk, last.id)
      let batch = try await desk.read { () throws(Failure) in
        LogPart(try desk.journal.read(after: id, limit: 500), desk.links)
      }
      guard let next = batch.last else {
        // A new log has no events yet: its first batch reports the gap.
        return subscription.move(to: ring.end.place, after: id)
      }
      var buffer = ByteBuffer()
      subscription.deliver(batch.pack, upTo: next.id, at: EventOutput.monotonic(), date: .now) {
        Self.append($0, $1, to: &buffer)
      }
      if buffer.readableBytes > 0 { try await write(buffer) }
      last = next
    }
  }

  /// Appends the given event as a server-sent event.
  private static func append(
    _ line: UnsafeBufferPointer<UInt8>, _ id: UnsafeBufferPointer<UInt8>?,
    to buffer: inout ByteBuffer
  ) {
    if let id {
      buffer.writeString("id: ")
      buffer.writeBytes(id)
      buffer.writeString("\n")
    }
    buffer.writeString("data: ")
    buffer.writeBytes(line)
    buffer.writeString("\n\n")
  }
}

/// A part of the log, for a subscriber whose next events the ring no longer has.
struct LogPart: Sendable {
  /// The lines of the events.
  ///
  /// If events before them are missing, a gap record comes first.
  let pack: EventPack
  /// The position of the last event; nil if there are no events.
  let last: EventPosition?

  /// Creates the part from the given batch.
  ///
  /// Links to pages are added.
  init(_ batch: EventBatch, _ links: WebLinks) {
    var lines = links.linked(batch.entries.map(\.line))
    if let line = try? batch.gap?.line(), batch.last != nil {
      lines.insert(String(decoding: line, as: UTF8.self), at: 0)
    }
    pack = EventPack(lines)
    last = batch.last.flatMap { EventPosition($0) }
  }
}
