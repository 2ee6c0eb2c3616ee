import Core
import Events
import Foundation
import HTTPTypes
import HubWords
import HummingbirdCore
import Pages
import Requests
import Watching

/// The routes of the page, which browsers show.
///
/// GET changes nothing. A form carries a token that only the hub's own page knows.
struct PageRoutes: Sendable {
  let desk: HubDesk
  let door: Door
  let devices: DeviceDesk
  let codes: PageCodes
  let steering: SteeringRoutes
  let events: EventRoutes
  let live: LiveRoutes
  /// The public key for which browsers subscribe; nil if they cannot be notified.
  let pushKey: String?

  /// The number of events in a view.
  private static let mostEvents = 100
  /// The number of closed incidents, and of decided gates, in a view.
  private static let mostEnded = 50

  /// The path of the given part of the page.
  static func path(_ rest: String) -> String { HTMLAddress.root + rest }

  var all: [HubRoute] {
    views + forms
      + PageAsset.allCases.map { asset in
        .get(Self.path("/" + asset.rawValue), for: .page) { _ async throws(Failure) in
          PageAnswer.of(asset)
        }
      }
  }

  private var views: [HubRoute] {
    [
      .get("/", for: .page) { (request) async throws(Failure) in
        try FrontPage.check(request)
        return PageAnswer.seeing(HTMLAddress())
      },
      view("") { (_, _) async throws(Failure) in
        try await desk.standing { (standing) throws(Failure) in
          .overview(try standing.overview(), at: desk.now)
        }
      },
      view("/incidents") { (_, _) async throws(Failure) in
        try await desk.standing { (standing) throws(Failure) in
          let all = try standing.incidents(ofSwarm: nil, withClosed: true)
          return .incidents(
            open: all.filter { $0.status == .open },
            closed: all.filter { $0.status == .closed }.suffix(Self.mostEnded).reversed(),
            at: desk.now)
        }
      },
      view("/incidents/{incidentId}") { (request, _) async throws(Failure) in
        let id = try request.part("incidentId")
        return try await desk.standing { (standing) throws(Failure) in
          let report = try standing.report(ofIncident: id)
          return .incident(report.incident, events: report.events, at: desk.now)
        }
      },
      view("/gates") { (_, _) async throws(Failure) in
        let store = desk.store
        let gates = try await desk.write { () throws(Failure) in
          try Gates.list(store, withDecided: true)
        }
        return .gates(
          pending: gates.filter { $0.status == .pending },
          decided: gates.filter { $0.status != .pending }.suffix(Self.mostEnded).reversed(),
          at: desk.now)
      },
      view("/gates/{gateId}") { (request, reader) async throws(Failure) in
        try await gate(try request.part("gateId"), for: reader)
      },
      view("/swarms/{swarmId}") { (request, reader) async throws(Failure) in
        let id = try request.part("swarmId")
        return try await desk.standing { (standing) throws(Failure) in
          let report = try standing.report(ofSwarm: id)
          return .swarm(
            report.swarm, agents: report.agents, incidents: report.incidents, for: reader,
            at: desk.now)
        }
      },
      view("/agents/{agentId}") { (request, reader) async throws(Failure) in
        let (id, journal) = (try request.part("agentId"), desk.journal)
        return try await desk.standing { (standing) throws(Failure) in
          let report = try standing.report(ofAgent: id, events: Self.mostEvents, in: journal)
          return .agent(
            report.agent, contexts: report.contexts, events: report.events, for: reader,
            at: desk.now)
        }
      },
      view("/controls/{requestId}") { (request, _) async throws(Failure) in
        let receipt = try await steering.receipt(try request.part("requestId"))
        return .control(receipt, failure: receipt.failure)
      },
      view("/sessions/{sessionId}") { (request, reader) async throws(Failure) in
        let (id, journal) = (try request.part("sessionId"), desk.journal)
        return try await desk.standing { (standing) throws(Failure) in
          let sessions = try standing.contexts(ofSwarm: nil)
          guard let session = sessions.first(where: { $0.sessionId == id }) else {
            throw Failure(.notFound, "there is no session '\(Visible.line(id))'", input: id)
          }
          let report = try standing.report(
            ofAgent: session.agentId, events: Self.mostEvents, in: journal)
          return .agent(
            report.agent, contexts: report.contexts, events: report.events, for: reader,
            at: desk.now)
        }
      },
      view("/traces/{traceId}") { (request, _) async throws(Failure) in
        let id = try request.part("traceId")
        return .trace(id, events: try await events.trace(id))
      },
      view("/live") { (request, _) async throws(Failure) in
        let desk = desk
        let (shown, wanted) = try Self.filter(request.queryFields)
        let events = try await desk.read { () throws(Failure) in
          try EventRoutes.newest(Self.mostEvents, desk, wanted).lines
        }
        return .live(events: events, filter: shown, host: EventHost.own)
      },
      view("/device") { (_, reader) async throws(Failure) in .device(for: reader, at: desk.now) },
      .get(Self.path("/stream"), for: .browsers(.read)) { (request) async throws(Failure) in
        // A browser reconnects to the same URL, and tells in the field where it was.
        let last = request.request.headers[.lastEventID] ?? request.query("lastEventId")
        return PageAnswer.guarded(try live.stream(request, after: last))
      },
    ]
  }

  /// Returns the route of a view for browsers that are signed in.
  private func view(
    _ path: String,
    _ make: @escaping @Sendable (HubRequest, PageViewer) async throws(Failure) -> PageFrame
  ) -> HubRoute {
    var route = HubRoute.get(Self.path(path), for: .browsers(.read)) {
      (request) async throws(Failure) in
      let reader = try viewer(of: request)
      do throws(Failure) {
        let journal = desk.journal
        let last = try await desk.read { () throws(Failure) in try journal.ends()?.newest }
        var view = try await make(request, reader)
        view.lastEventId = last
        return PageAnswer.of(view)
      } catch {
        return PageAnswer.of(error, isSignedIn: true)
      }
    }
    route.failed = { PageAnswer.of($0, isSignedIn: false) }
    return route
  }

  /// Returns the filter in the given fields of the form of the view of events.
  ///
  /// Empty fields are ignored.
  ///
  /// - Throws: `BadInput` if a field is invalid.
  private static func filter(
    _ fields: [String: String]
  ) throws(Failure) -> (shown: LiveFilter, wanted: EventFilter) {
    let filled = fields.mapValues { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.value.isEmpty }
    var members = LiveMessage(type: "subscribe")
    var filters = EventFilters()
    filters.severityGte = filled["severityGte"]
    filters.agentIds = filled["agentIds"].map { [$0] }
    filters.text = filled["text"]
    members.filters = filters
    let wanted = try LiveRequest(members).filter
    var shown = LiveFilter()
    shown.level = wanted.level
    (shown.agent, shown.words) = (wanted.agents.first ?? "", wanted.match ?? "")
    return (shown, wanted)
  }

  /// Returns the view of the given gate.
  func gate(
    _ id: String, refusal: Failure? = nil, isOwn: Bool = false, for reader: PageViewer
  ) async throws(Failure) -> PageFrame {
    let (gate, decisions, result) = try await steering.gate(id)
    return .gate(
      gate, decisions: decisions, result: result, refusal: refusal, isOwn: isOwn, for: reader,
      at: desk.now)
  }

  /// Returns the signed-in browser that sent the given request.
  func viewer(of request: HubRequest) throws(Failure) -> PageViewer {
    guard case .browser(let device, let formToken) = request.visitor else {
      throw BrowserCookie.missing
    }
    return PageViewer(device, formToken: formToken)
  }
}
