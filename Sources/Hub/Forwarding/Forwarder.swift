import Core
import Events
import HTTP
import OTLP
import Storage
import Synchronization

/// A sender that forwards the log's events to a collector.
///
/// Events are sent in order, and each at least once. Unsent events stay in the log, so that no
/// other work waits for the collector. Events that the log deletes while the collector is
/// unreachable are not sent. After a restart, forwarding resumes. Of several hubs that share their
/// records, one forwards.
final class Forwarder: Sendable {
  private let collector: Collector
  private let journal: EventJournal
  private let ring: LiveRing
  private let cursor: ForwardingCursor
  private let base: any RecordBase
  private let client = HTTPClient()
  private let queue = Blocking("hub.forwarding", inOrder: true)
  private let writer = Mutex(OTLPWriter())
  private let reported = Mutex(Told())
  private let report: NoticeHandler
  /// The counts of forwarded events.
  let counts = ForwardingCounts()

  private struct Told {
    var sentences: Set<String> = []
    /// `true` while the collector is unreachable.
    var isAway = false
  }

  /// The pause after the first failure, in seconds.
  private static let firstPause = 0.5
  /// The number of seconds for which events are collected before they are sent.
  private static let gathering = 0.2

  /// Creates a forwarder, but does not start it.
  ///
  /// - Parameters:
  ///   - desk: The records of the hub.
  ///   - ring: The ring, which signals new events.
  ///   - collector: The destination.
  init(
    _ desk: HubDesk, after ring: LiveRing, to collector: Collector
  ) {
    (journal, self.ring, self.collector, report) = (desk.journal, ring, collector, desk.report)
    base = desk.store.base
    cursor = ForwardingCursor(
      desk.directories, shared: desk.records.isShared ? desk.store : nil, url: collector.url)
  }

  /// Reads the stored cursor.
  ///
  /// If none is stored, forwarding begins with new events.
  ///
  /// - Throws: `StorageFailed` if the log or the cursor cannot be read or written.
  func begin() throws(Failure) {
    if try cursor.last() == nil { try cursor.begin(after: try journal.ends()?.newest ?? "") }
  }

  /// Forwards events until the task is cancelled.
  func run() async {
    /// The id of the last forwarded event; nil while another hub forwards.
    var position: String?
    while !Task.isCancelled {
      do throws(Failure) {
        position = try await self.position(after: position)
        guard let known = position, ring.end.last.id != known else {
          await rest(Self.gathering)
          continue
        }
        let last = known.isEmpty ? nil : known
        let batch = try await read(after: last)
        guard let upTo = batch.last else {
          await rest(Self.gathering)
          continue
        }
        if let gap = batch.gap { reportGap(gap) }
        counts.count(sent: 0, rejected: batch.unsent)
        for body in batch.bodies { await send(body) }
        guard !Task.isCancelled else { return }
        try await store(upTo, after: known)
        position = upTo
      } catch {
        position = nil
        reportOnce("cannot forward events: \(error.explanation)")
        await rest(Self.firstPause)
      }
    }
  }

  /// Returns the id of the last forwarded event, which is read when this hub begins to forward; nil
  /// while another hub forwards.
  private func position(after known: String?) async throws(Failure) -> String? {
    try await queue.run { [base, cursor] () throws(Failure) in
      guard try base.has(.forwarding) else { return nil }
      if let known { return known }
      return try cursor.last() ?? ""
    }
  }

  private func read(after last: String?) async throws(Failure) -> ForwardingBatch {
    try await queue.run { [self] () throws(Failure) in
      try writer.withLock { (writer) throws(Failure) in
        try ForwardingBatch(journal, after: last, &writer)
      }
    }
  }

  private func store(_ last: String, after earlier: String) async throws(Failure) {
    let cursor = cursor
    try await queue.run { () throws(Failure) in try cursor.set(last, after: earlier) }
  }

  /// Sends the given request, and repeats it until the collector accepts it or finally refuses it.
  private func send(_ body: OTLPWriter.Body) async {
    var backoff = Backoff(first: Self.firstPause, longest: 30)
    while !Task.isCancelled {
      switch await collector.send(body, by: client) {
      case .accepted(let rejected, let message):
        counts.count(sent: body.count - rejected, rejected: rejected)
        reportAway(nil)
        if rejected > 0 || !message.isEmpty {
          reportOnce(
            "the collector rejected some events: \(Visible.line(String(message.prefix(300))))")
        }
        return
      case .refused(let failure):
        counts.count(sent: 0, rejected: body.count)
        return reportOnce("the collector rejected events: \(failure.explanation)")
      case .later(let failure):
        guard !Task.isCancelled else { return }
        reportAway(failure)
        counts.countRetry()
        let asked = failure.retryAfterSeconds.map { min(max($0, 0.1), 3600) }
        backoff.grow()
        await rest(asked ?? backoff.jittered)
      }
    }
  }

  private func rest(_ seconds: Double) async {
    // A cancelled task ends the sleep.
    try? await Task.sleep(for: .seconds(seconds))
  }

  private func reportGap(_ gap: Gap) {
    counts.countGap()
    report(
      "events between \(gap.from) and \(gap.to ?? "now") were deleted before they were forwarded")
  }

  /// Reports the given sentence, unless it was already reported.
  private func reportOnce(_ sentence: String) {
    let isNew = reported.withLock {
      $0.sentences.count < 100 && $0.sentences.insert(sentence).inserted
    }
    if isNew { report(.sentence(sentence)) }
  }

  /// Reports that the collector became unreachable or reachable, if its state has changed.
  private func reportAway(_ failure: Failure?) {
    let isNew = reported.withLock { told in
      defer { told.isAway = failure != nil }
      return told.isAway != (failure != nil)
    }
    guard isNew else { return }
    let reason = failure.map { "events are waiting to be forwarded: \($0.explanation)" }
    report(.sentence(reason ?? "events are forwarded again"))
  }
}
