import Core
import Events
import Foundation
import HTTPTypes
import HubWords
import Requests
import Watching

/// The routes by which events are sent and read.
struct EventRoutes: Sendable {
  let desk: HubDesk
  let ring: LiveRing

  /// The largest size of the events in a request.
  private static let mostBytes = 16 << 20
  /// The largest number of lines that are read for one response.
  private static let mostScanned = 100_000

  var all: [HubRoute] {
    [
      .post("/v1/events", for: .senders) { (request) async throws(Failure) in
        try await receive(request)
      },
      .get("/v1/events", for: .people(.read)) { (request) async throws(Failure) in
        try await send(request)
      },
      .get("/v1/traces/{traceId}", for: .people(.read)) { (request) async throws(Failure) in
        try await trace(request)
      },
    ]
  }

  private func receive(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let body = try await request.unpackedBody(upTo: Self.mostBytes)
    let received = ReceivedEvents(body, from: request.visitor)
    let ids = try await desk.receive(received, bytes: body.count)
    return try HubAnswer(
      Acknowledgement(
        accepted: ids.count, lastId: ids.last, rejected: received.rejectedWords),
      status: ids.isEmpty && !received.rejected.isEmpty ? .init(code: 422) : .ok)
  }

  private func send(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let asked = try LiveRequest(request.liveMembers)
    let limit = try request.number("limit", in: 1...10_000, usual: 1000)
    let after = request.query("after")
    if let after, !EventFilter.isId(after) {
      throw Failure(.badInput, "'after' is not the id of an event", input: "after")
    }
    let newest =
      try request.query("last") == nil
      ? nil : request.number("last", in: 1...10_000, usual: 10)
    if newest != nil, after != nil {
      throw Failure(.badInput, "'last' and 'after' exclude each other", input: "last")
    }
    let desk = desk
    let (lines, last, gap) = try await desk.read { () throws(Failure) in
      if let newest { return try Self.newest(newest, desk, asked.filter) }
      return try Self.lines(desk, asked.filter, after: after, limit: limit)
    }
    return try HubAnswer(
      EventPage(
        events: lines.map(RecordJSON.init), lastId: last,
        gap: try gap.map { (gap) throws(Failure) in RecordJSON(try gap.json()) }))
  }

  /// Returns the next matching events after the event with the id `after`.
  ///
  /// Also returns the id of the last event that was examined.
  private static func lines(
    _ desk: HubDesk, _ filter: EventFilter, after: String?, limit: Int
  ) throws(Failure) -> (lines: [String], last: String?, gap: Gap?) {
    var sieve = EventSieve(filter)
    var (lines, last, scanned) = ([String](), after, 0)
    var gap: Gap?
    while lines.count < limit, scanned < mostScanned {
      let batch = try desk.journal.read(after: last, limit: min(2000, limit - lines.count))
      if scanned == 0 { gap = batch.gap }
      guard !batch.entries.isEmpty else { break }
      let read = desk.links.linked(batch.entries.map(\.line))
      let pack = EventPack(read)
      for (entry, line) in zip(pack.entries, read) where sieve.wants(entry, in: pack) {
        lines.append(line)
      }
      last = batch.last
      scanned += batch.entries.count
    }
    return (lines, last, gap)
  }

  /// Returns the newest `count` matching events, oldest first, and the id of the log's newest
  /// event.
  ///
  /// The log is read backwards from its end in windows of growing size, until enough events are
  /// found.
  static func newest(
    _ count: Int, _ desk: HubDesk, _ filter: EventFilter
  ) throws(Failure) -> (lines: [String], last: String?, gap: Gap?) {
    guard let ends = try desk.journal.ends(), let end = EventPosition(ends.newest),
      let oldest = EventPosition(ends.oldest)
    else { return ([], nil, nil) }
    var start = end
    var window = 100
    while true {
      window *= 10
      start.sequence = max(oldest.sequence - 1, end.sequence - Int64(min(window, mostScanned)))
      let (lines, last, _) = try lines(desk, filter, after: start.id, limit: mostScanned)
      if lines.count >= count || start.sequence < oldest.sequence || window >= mostScanned {
        return (lines.suffix(count), last, nil)
      }
    }
  }

  private func trace(_ request: HubRequest) async throws(Failure) -> HubAnswer {
    let id = try request.part("traceId")
    return try HubAnswer(
      TraceAnswer(
        traceId: id, events: try await trace(id).map(RecordJSON.init),
        webUrl: desk.links.url(for: .trace, id)))
  }

  /// Returns the lines of the given trace.
  ///
  /// - Throws: `NotFound` if no event of the trace is in the log.
  func trace(_ id: String) async throws(Failure) -> [String] {
    let desk = desk
    let lines = try await desk.read { () throws(Failure) in
      var filter = EventFilter()
      filter.types = [TraceEvent.type]
      filter.match = String(decoding: JSONString.literal(id), as: UTF8.self)
      let found = try Self.lines(desk, filter, after: nil, limit: 10_000).lines
      return found.filter { RawRecord(object: $0)?.string("traceId") == id }
    }
    guard !lines.isEmpty else {
      throw Failure(.notFound, "there is no trace '\(Visible.line(id))'", input: id)
    }
    return lines
  }
}

extension HubRequest {
  /// The subscription that the request's query describes.
  var liveMembers: LiveMessage {
    var members = LiveMessage(type: "subscribe")
    members.filters = EventFilters(list: list, value: query)
    members.maxEventsPerSecond = query("maxEventsPerSecond").map { Double($0) ?? .nan }
    members.lastEventId = query("lastEventId")
    return members
  }
}
