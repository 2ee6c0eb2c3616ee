import Command
import Core
import Events
import HubClient
import HubSockets
import Pushing

extension Session {
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
    let name = place.hub?.name ?? "here"
    var filter = EventFilter()
    filter.types = [Alert.type, ApprovalGate.type]
    filter.includesLosses = true
    var wish = EventWish(filter)
    (wish.follows, wish.last) = (true, 0)
    var last = try pusher.lastRead(at: name)
    if last == nil {
      // The first start begins with new alerts; in an empty log all are new.
      last = try place.here { () throws(Failure) in
        try EventJournal(directories).ends()?.newest ?? ""
      }
      if let last { try pusher.accept([], place: (name, last)) }
    }
    wish.after = last.flatMap { $0.isEmpty ? nil : $0 }
    let links = place.links()
    let hub = try place.option()
    try events.read(wish) { (source) throws(Failure) in
      var reader = EventReader(source, filter: filter)
      var mayHaveMore = true
      while mayHaveMore {
        var news = News()
        mayHaveMore = try reader.next { (item) throws(Failure) in
          switch item {
          case .event(let line): try take(line, &news, links)
          case .bad(let failure): fail(failure)
          }
        }
        guard let last = news.lastId else { continue }
        try pusher.accept(news.alerts, gates: news.gates, place: (name, last), hub: hub)
      }
    }
  }

  /// The events of one read.
  private struct News {
    var alerts: [Alert] = []
    var gates: [ApprovalGate] = []
    var lastId: String?
  }

  /// Adds the given event to the news, with the link to its page.
  private func take(
    _ line: EventLine, _ news: inout News, _ links: WebLinks
  ) throws(Failure) {
    let raw = try RawRecord(line: Array(line.bytes))
    news.lastId = raw.string("id") ?? news.lastId
    do throws(Failure) {
      switch raw.type {
      case Alert.type: news.alerts += [links.linked(try Alert(raw))].compactMap { $0 as? Alert }
      case ApprovalGate.type:
        news.gates += [links.linked(try ApprovalGate(raw))].compactMap { $0 as? ApprovalGate }
      default: try passOn(raw)
      }
    } catch {
      try goOn(after: error)
    }
  }
}
