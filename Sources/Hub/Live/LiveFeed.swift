import Core
import Events
import NIOCore

/// The live stream as server-sent events (WHATWG HTML, 9.2), with each event's own id.
struct LiveFeed: Sendable {
  let ring: LiveRing
  let desk: HubDesk
  let counts: HubCounts
  /// Returns `true` if the hub is shutting down.
  let isEnding: @Sendable () -> Bool

  /// The milliseconds of silence after which a comment shows that the stream lives.
  private static let silence: Int64 = 15_000

  /// Streams matching events until the subscriber disconnects or the hub shuts down.
  ///
  /// A revoked device receives the revocation and nothing else.
  ///
  /// - Parameters:
  ///   - request: The subscription.
  ///   - opening: The subscriber's entry in the list of openings.
  ///   - write: Sends bytes; returns when there is room for more, and throws if the subscriber is
  ///     gone.
  /// - Throws: What `write` throws; `StorageFailed`.
  func run(
    _ request: LiveRequest, _ opening: Opening, _ write: (ByteBuffer) async throws -> Void
  ) async throws {
    let end = ring.end
    let start = request.last ?? end.last
    // This block without data sets the id from which a client resumes if it loses the connection
    // early.
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

  /// Sends events of the log after a position, up to the start of the ring.
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

  /// Appends an event in the form of the stream.
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

/// A part of the log for a subscriber that was away.
struct LogPart: Sendable {
  /// The lines, including a gap before them.
  let pack: EventPack
  /// The position of the last event; nil without events.
  let last: EventPosition?

  /// Creates the part from a batch, adding links to pages.
  init(_ batch: EventBatch, _ links: WebLinks) {
    var lines = links.linked(batch.entries.map(\.line))
    if let line = try? batch.gap?.line(), batch.last != nil {
      lines.insert(String(decoding: line, as: UTF8.self), at: 0)
    }
    pack = EventPack(lines)
    last = batch.last.flatMap { EventPosition($0) }
  }
}
