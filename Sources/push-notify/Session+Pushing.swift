import Command
import Core
import Events
import HubClient
import HubSockets
import Pushing

extension Session {
  private static let reading = Blocking("push-notify.reading")

  /// What ended first: the reading of alerts, or their sending.
  private enum Ended: Sendable {
    case reading(Result<Void, Failure>)
    case sending(Result<Void, Failure>)
  }

  /// Sends the alerts that the given function accepts, until each has an outcome.
  ///
  /// - Parameters:
  ///   - targets: The targets.
  ///   - takesOver: `true` to send what earlier processes left.
  ///   - read: A function that reads alerts to their end, and may block.
  /// - Throws: The errors of the function; `StorageFailed` if the queue cannot be used;
  ///   `Interrupted` if the process is to end. Alerts without an outcome then stay in the queue.
  func push(
    to targets: [PushTarget], takesOver: Bool = true,
    _ read: @escaping @Sendable (Pusher) throws(Failure) -> Void
  ) async throws(Failure) {
    let pusher = try Pusher(targets, directories, takesOver: takesOver, report: report) {
      (delivery) throws(Failure) in
      try self.output.write(delivery)
      guard let failure = delivery.error else { return }
      self.remember(failure)
      self.diagnostics.report(failure.at(Visible.line(delivery.target)))
    }
    let ends = AsyncStream<Ended>.makeStream()
    let sending = Task {
      ends.continuation.yield(.sending(await Self.result { try await pusher.run() }))
    }
    Task {
      let result = await Self.result {
        try await Self.reading.run { () throws(Failure) in try read(pusher) }
      }
      ends.continuation.yield(.reading(result))
    }
    interruption.onFire { sending.cancel() }
    defer { sending.cancel() }
    for await end in ends.stream {
      switch end {
      case .reading(.success): pusher.end()
      case .reading(.failure(let failure)):
        try reportWaiting(pusher)
        throw failure
      // Without sending, there is nothing to read for.
      case .sending(let result):
        try result.get()
        try reportWaiting(pusher)
        guard interruption.signal == nil else { throw interruption.failure }
        return
      }
    }
  }

  private static func result(
    _ work: () async throws(Failure) -> Void
  ) async -> Result<Void, Failure> {
    do throws(Failure) {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }

  /// Reports the alerts that were not sent because the process ends.
  private func reportWaiting(_ pusher: Pusher) throws(Failure) {
    let count = try pusher.waiting
    guard count > 0 else { return }
    diagnostics.report(
      "\(count) \(count == 1 ? "message waits" : "messages wait"): the next push-notify to the target sends them"
    )
  }

  /// Gives the alerts on stdin to the given pusher, and passes other records on.
  func readAlerts(_ pusher: Pusher) throws(Failure) {
    var input = input()
    while let item = try input.next() {
      switch item {
      case .record(let raw) where raw.type == Alert.type:
        do throws(Failure) {
          try pusher.accept([try Alert(raw)])
        } catch {
          guard error.code == .badInput else { throw error }
          fail(error)
        }
      case .record(let raw):
        if raw.type == ApprovalGate.type, let gate = try? ApprovalGate(raw) {
          try pusher.accept([], gates: [gate])
        }
        try passOn(raw)
      case .bad(let failure): fail(failure)
      }
    }
  }

  /// Gives the new alerts of the given place to the given pusher.
  ///
  /// Reading begins after the last alert that an earlier process with the same targets read; without
  /// one, it begins with alerts that are new.
  func followAlerts(_ place: Place, _ pusher: Pusher) throws(Failure) {
    let events = place.events(sockets: { (call) throws(Failure) in try HubSocket(call) }) {
      self.diagnostics.report("\($0.explanation): retrying")
    }
    let name = pusher.placeName(place.hub?.hub.url ?? "here")
    var filter = EventFilter()
    filter.types = [Alert.type, ApprovalGate.type]
    filter.includesLosses = true
    var wish = EventWish(filter)
    (wish.follows, wish.last) = (true, 0)
    wish.after = try pusher.place(name)
    if wish.after == nil,
      let newest = try place.here({ () throws(Failure) in
        try EventJournal(directories).ends()?.newest
      })
    {
      wish.after = newest
      try pusher.accept([], place: (name, newest))
    }
    try events.read(wish) { (source) throws(Failure) in
      var reader = EventReader(source, filter: filter)
      var mayHaveMore = true
      while mayHaveMore {
        var news = News()
        mayHaveMore = try reader.next { (item) throws(Failure) in
          switch item {
          case .event(let line): try take(line, &news)
          case .bad(let failure): fail(failure)
          }
        }
        guard let last = news.lastId else { continue }
        try pusher.accept(news.alerts, gates: news.gates, place: (name, last))
      }
    }
  }

  /// The events of one read.
  private struct News {
    var alerts: [Alert] = []
    var gates: [ApprovalGate] = []
    var lastId: String?
  }

  private func take(_ line: EventLine, _ news: inout News) throws(Failure) {
    let raw = try RawRecord(line: Array(line.bytes))
    news.lastId = raw.string("id") ?? news.lastId
    do throws(Failure) {
      switch raw.type {
      case Alert.type: news.alerts.append(try Alert(raw))
      case ApprovalGate.type: news.gates.append(try ApprovalGate(raw))
      default: try passOn(raw)
      }
    } catch {
      try goOn(after: error)
    }
  }
}
