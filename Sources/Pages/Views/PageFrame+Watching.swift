public import Core
import Display

/// The views of the state of agents.
extension PageFrame {
  /// Returns the view of everything in progress.
  public static func overview(_ overview: Overview, at now: Timestamp) -> PageFrame {
    let cards = overview.summaryCards
    let percent = { (value: Double?) in value.map(Numbers.percent) ?? "–" }
    let isEmpty = overview.pendingGates.isEmpty && overview.activeIncidents.isEmpty
    guard overview.updatedAt != nil || !isEmpty else { return beginning }
    return PageFrame(
      "Overview", in: .overview, freshness: .view,
      parts: [
        .facts([
          ("need you", overview.awaitedDecisions == 0 ? nil : "\(overview.awaitedDecisions)"),
          ("fullest context", percent(cards.contextRisk)),
          ("failing calls", percent(cards.skillFailureRate)),
          ("healthy swarms", percent(cards.swarmHealth)),
          ("last event", overview.updatedAt.map { Ago.text($0, now: now) }),
        ]),
        HTML(.h2, [], "Incidents"), incidents(overview.activeIncidents, at: now),
        HTML(.h2, [], "Gates"), gates(overview.pendingGates, at: now),
        HTML(.h2, [], "Swarms"), swarms(overview.activeSwarms, at: now),
        HTML(.h2, [], "Agents"), agents(overview.activeSessions, at: now),
      ])
  }

  /// Returns the view of all incidents: the open ones, and those that were closed.
  public static func incidents(
    open: [Incident], closed: [Incident], at now: Timestamp
  ) -> PageFrame {
    PageFrame(
      "Incidents", in: .incidents, freshness: .view,
      parts: [incidents(open, at: now), HTML(.h2, [], "Closed"), incidents(closed, at: now)])
  }

  /// Returns the view of the given incident with its last events.
  public static func incident(
    _ incident: Incident, events: [String], at now: Timestamp
  ) -> PageFrame {
    PageFrame(
      "Incident", in: .incidents, freshness: .view,
      parts: [
        HTML(.p, [.class("lead")], HTML(text: incident.summary)),
        .facts([
          ("severity", incident.severity.rawValue), ("status", incident.status.rawValue),
          ("times", incident.count == 1 ? nil : "\(incident.count)"),
          ("seen", Ago.text(incident.updatedAt, now: now)), ("id", incident.id),
        ]),
        links(toAgent: incident.agentId, swarm: incident.swarmId),
        HTML(.h2, [], "Last events"),
        .events(events, empty: "The events are no longer in the log."),
      ])
  }

  /// Returns the view of the given swarm.
  public static func swarm(
    _ swarm: Swarm, agents members: [Agent], incidents open: [Incident], for reader: PageViewer,
    at now: Timestamp
  ) -> PageFrame {
    PageFrame(
      swarm.name.isEmpty ? "Swarm" : "Swarm \(swarm.name)", in: .overview, freshness: .view,
      parts: [
        .facts([
          ("status", swarm.status.rawValue), ("agents", "\(swarm.agents ?? swarm.activeAgents)"),
          ("errors", swarm.errorRate == 0 ? nil : Numbers.percent(swarm.errorRate)),
          ("active", Ago.text(swarm.updatedAt, now: now)), ("id", swarm.id),
        ]),
        HTML(.h2, [], "Incidents"), incidents(open, at: now),
        HTML(.h2, [], "Agents"), agents(members, at: now),
        steering("swarms", swarm.id, isAtWork: swarm.activeAgents > 0, for: reader),
      ])
  }

  /// Returns the view of the given agent, with its contexts and its last events.
  public static func agent(
    _ agent: Agent, contexts: [ContextHealth], events: [String], for reader: PageViewer,
    at now: Timestamp
  ) -> PageFrame {
    PageFrame(
      "Agent \(agent.id)", in: .overview, freshness: .view,
      parts: [
        .facts([
          ("name", agent.name), ("status", agent.status.rawValue),
          ("waits for", agent.waitingFor?.rawValue),
          ("waits until", agent.waitingUntil.map { Ago.text($0, now: now) }),
          ("task", agent.taskSummary),
          ("tokens", agent.usage.map { Numbers.short($0.totalTokens) }),
          (
            "cost",
            (agent.costUSD ?? agent.knownCostUSD).map { _ in
              Numbers.dollars(agent.costUSD, known: agent.knownCostUSD)
            }
          ),
          ("errors", agent.errors == 0 ? nil : "\(agent.errors)"),
          ("active", Ago.text(agent.updatedAt, now: now)),
        ]),
        links(swarm: agent.swarmId),
        contexts.isEmpty
          ? HTML([])
          : HTML([
            HTML(.h2, [], "Contexts"), .table(contexts, empty: "", now: now),
          ]),
        steering("agents", agent.id, isAtWork: agent.status.isActive, for: reader),
        HTML(.h2, [], "Last events"), .events(events, empty: "No events are in the log."),
      ])
  }

  /// Returns the view of the events of the given trace.
  public static func trace(_ id: String, events: [String]) -> PageFrame {
    PageFrame(
      "Trace \(id)", in: .live,
      parts: [.events(events, empty: "The events are no longer in the log.")])
  }

  // MARK: Parts

  private static func incidents(_ records: [Incident], at now: Timestamp) -> HTML {
    .table(records, linking: "what", empty: "There are none.", now: now) {
      HTMLAddress(of: $0.id, in: "incidents")
    }
  }

  static func gates(_ records: [ApprovalGate], at now: Timestamp) -> HTML {
    .table(records, linking: "what", empty: "There are none.", now: now) {
      HTMLAddress(of: $0.gateId, in: "gates")
    }
  }

  private static func swarms(_ records: [Swarm], at now: Timestamp) -> HTML {
    .table(records, linking: "swarm", empty: "None is at work.", now: now) {
      HTMLAddress(of: $0.id, in: "swarms")
    }
  }

  private static func agents(_ records: [Agent], at now: Timestamp) -> HTML {
    .table(records, linking: "agent", empty: "None is at work.", now: now) {
      HTMLAddress(of: $0.id, in: "agents")
    }
  }

  /// Returns links to the views of the given agent and swarm.
  static func links(toAgent agent: String? = nil, swarm: String?) -> HTML {
    let links = [("Agent", agent, "agents"), ("Swarm", swarm, "swarms")]
    let shown = links.compactMap { name, id, kind in
      id.flatMap { id in HTMLAddress(of: id, in: kind).map { ("\(name) \(id)", $0) } }
    }
    guard !shown.isEmpty else { return HTML([]) }
    return HTML(
      .ul, [.class("links")],
      parts: shown.map { name, address in
        HTML(.li, [], HTML(.a, [HTMLAttribute(.href, address)], HTML(text: name)))
      })
  }

  /// Returns the forms that pause, resume and terminate; nothing if the reader may not control.
  private static func steering(
    _ kind: String, _ id: String, isAtWork: Bool, for reader: PageViewer
  ) -> HTML {
    guard reader.may(.steer), isAtWork else { return HTML([]) }
    let reason = { (id: String, label: String) in
      PageForm.text(.reason, label, id: id, least: 1)
    }
    let button = { (action: ControlAction, look: String) in
      PageForm.button(
        action.rawValue.prefix(1).uppercased() + action.rawValue.dropFirst(), look,
        sending: (.action, action.rawValue))
    }
    let forms = [
      [reason("reason", "Reason"), button(.pause, "plain"), " ", button(.resume, "plain")],
      [
        reason("reason-to-terminate", "Reason to terminate"),
        PageForm.confirmation("TERMINATE", id: "confirmation"),
        button(.terminate, "bad"),
      ],
    ].map { parts in
      PageForm(
        address: HTMLAddress(kind, id),
        hidden: [(.token, reader.formToken), (.requestId, Identifier.make())], parts: parts
      ).html
    }
    return HTML([HTML(.h2, [], "Control"), HTML(.div, [.class("forms")], parts: forms)])
  }
}
