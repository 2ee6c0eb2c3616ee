import Core
import Events
import NIOCore

/// The live stream as server-sent events (WHATWG HTML, 9.2): the id of each event is its own.
struct LiveFeed: Sendable {
  let ring: LiveRing
  let desk: HubDesk
  let counts: HubCounts
  /// Whether the hub is to end.
  let isEnding: @Sendable () -> Bool

  /// After so many milliseconds of silence a comment tells that the stream lives.
  private static let silence: Int64 = 15_000

  /// Sends what is asked for until the reader or the hub goes.
  ///
  /// A device that is revoked is told so, and gets nothing else.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - opening: The reader's entry in the list of what is open.
  ///   - write: Sends bytes; returns when there is room for more, and throws when the reader is gone.
  /// - Throws: What `write` throws; `StorageFailed`.
  func run(
    _ request: LiveRequest, _ opening: Opening, _ write: (ByteBuffer) async throws -> Void
  ) async throws {
    let end = ring.end
    let start = request.last ?? end.last
    // A block without data: who loses the connection before the first event goes on from here.
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
        LiveSubscription.give(ErrorRecord(failure, tool: "hub-serve")) {
          Self.append($0, $1, to: &buffer)
        }
        return try await write(buffer)
      }
      let hasMore = subscription.take(from: ring, at: now, date: .now) {
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

  /// Gives what the log has from an event on, up to where the ring begins.
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
        // Another log has nothing yet: what it tells first tells of the gap.
        return subscription.move(to: ring.end.place, after: id)
      }
      var buffer = ByteBuffer()
      subscription.take(batch.pack, upTo: next.id, at: EventOutput.monotonic(), date: .now) {
        Self.append($0, $1, to: &buffer)
      }
      if buffer.readableBytes > 0 { try await write(buffer) }
      last = next
    }
  }

  /// One event as it is sent.
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

/// A part of the log that somebody is given who was away.
struct LogPart: Sendable {
  /// Its lines, a gap before them among them.
  let pack: EventPack
  /// The last event in it; nil where there is none.
  let last: EventPosition?

  /// Puts the lines together; what has a page is linked to it.
  init(_ batch: EventBatch, _ links: WebLinks) {
    var lines = links.linked(batch.entries.map(\.line))
    if let line = try? batch.gap?.line(), batch.last != nil {
      lines.insert(String(decoding: line, as: UTF8.self), at: 0)
    }
    pack = EventPack(lines)
    last = batch.last.flatMap { EventPosition($0) }
  }
}
