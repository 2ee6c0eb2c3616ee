import Core
import Foundation

/// A message about one alert, or about several.
struct PushMessage: Sendable {
  /// The number under which the queue has the message.
  let key: Int64
  /// The id of the first alert.
  let alertId: String
  /// The id that each attempt to send the message has: visible ASCII, at most 256 bytes.
  var id: String
  /// The alert; of several, the last one with their number and a summary of all.
  var alert: Alert
  /// The subject of the alerts, such as `incident:7f3a`; empty if they have several.
  var subject: String
  /// The line that names what is wrong.
  var title: String
  /// The number of alerts.
  var count: Int
  /// The hub at which the gate is decided, as `--hub` names it; nil for this machine.
  private let hub: String?
  /// `true` if the alerts have several subjects.
  private let isMixed: Bool

  /// The maximum numbers of characters in a summary, in a goal and in a name.
  private static let longest = (summary: 1000, goal: 200, name: 100)

  /// Creates the message about the given alerts, which are not empty.
  ///
  /// - Parameters:
  ///   - key: The number under which the queue has the message.
  ///   - alertId: The id of the first alert.
  ///   - alerts: The alerts, from oldest to newest.
  ///   - hub: The hub at which the gate of the last one is decided; nil for this machine.
  init(_ key: Int64, of alertId: String, _ alerts: [Alert], at hub: String?) {
    (self.key, self.alertId, self.hub) = (key, alertId, hub)
    // The id of several alerts must not be that of one of them.
    let digest = { SHA256Digest.hexadecimal(Array(([alertId] + $0).joined(separator: "\n").utf8)) }
    id =
      alerts.count > 1
      ? "group:" + digest(["\(alerts.count)"])
      : Self.isPlain(alertId) ? alertId : "sha256:" + digest([])
    alert = alerts[alerts.count - 1]
    count = alerts.count
    let subjects = Set(alerts.map(\.replacedSubject))
    subject = subjects.count == 1 ? alert.replacedSubject : ""
    isMixed = subjects.count > 1
    title = alert.heading
    if count > 1 {
      alert.count = count
      alert.severity = alerts.map(\.severity).max() ?? alert.severity
      if !isMixed {
        alert.summary += " (\(count) times)"
      } else {
        title = "\(count) alerts"
        alert.summary = "\(Self.counts(alerts)). The newest: \(alert.summary)"
        // The others have their own places.
        (alert.webUrl, alert.agentId, alert.swarmId, alert.skillId) = (nil, nil, nil, nil)
        (alert.incidentId, alert.gateId, alert.sessionId) = (nil, nil, nil)
      }
    }
  }

  /// `true` if a later message on the same subject may replace this one.
  var isReplaceable: Bool { !subject.isEmpty }

  /// The alert as a line, whose `srcId` is the message's id.
  ///
  /// - Throws: `BadInput` if the alert cannot be written as JSON.
  func line() throws(Failure) -> [UInt8] { try alert.with { $0.srcId = id }.line() }

  /// Returns the message with the goal of the run that waits.
  func with(goal: String) -> PushMessage {
    var message = self
    message.alert.summary += ". Goal: \(Self.words(goal, upTo: Self.longest.goal))"
    return message
  }

  /// The summary as one line without characters that a terminal interprets.
  var summary: String { Self.words(alert.summary, upTo: Self.longest.summary) }

  private static func words(_ text: String, upTo limit: Int) -> String {
    ApprovalGate.words(Visible.line(text), upTo: limit)
  }

  /// The names of the agent, the swarm and the skill concerned, as one line; nil if there are none.
  var place: String? {
    let names = [("agent", alert.agentId), ("swarm", alert.swarmId), ("skill", alert.skillId)]
      .compactMap { kind, id in id.map { "\(kind) \(Self.short($0))" } }
    return names.isEmpty || isMixed ? nil : names.joined(separator: ", ")
  }

  /// The text below the title; of a gate that waits, with the command that approves it.
  var text: String {
    [summary, place, isMixed ? nil : approval].compactMap { $0 }.joined(separator: "\n")
  }

  /// The command that approves the gate; nil if the alert is about none, or it is decided.
  private var approval: String? {
    guard let command = alert.approval, let hub else { return alert.approval }
    let isWord = hub.utf8.allSatisfy {
      $0.isLetter || $0.isDigit || "-._:/,%@+=".utf8.contains($0)
    }
    return "\(command) --hub "
      + (isWord ? hub : "'\(hub.replacingOccurrences(of: "'", with: "'\\''"))'")
  }

  /// Returns the end of the given id if it is a UUID; otherwise its start.
  private static func short(_ id: String) -> String {
    guard UUID(uuidString: id) == nil else { return String(id.suffix(8)) }
    return String(String.UnicodeScalarView(Visible.line(id).unicodeScalars.prefix(longest.name)))
  }

  /// The severity and the names of what is concerned, without any output of an agent.
  var quietWords: String {
    let about = place ?? (count > 1 ? "\(count) alerts" : "")
    return [alert.severity.rawValue, about].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// The id of the subject, for services that replace a message by a later one with the same id: 32
  /// hexadecimal digits; nil if no later message may replace this one.
  var topic: String? {
    isReplaceable ? String(SHA256Digest.hexadecimal(Array(subject.utf8)).prefix(32)) : nil
  }

  /// The URL of the page with details; nil if there is none or it is not an HTTP URL.
  var url: String? {
    guard let url = alert.webUrl, url.count <= 2000,
      url.hasPrefix("https://") || url.hasPrefix("http://"),
      url.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"\"<>".utf8.contains($0) })
    else { return nil }
    return url
  }

  private static func isPlain(_ id: String) -> Bool {
    (1...256).contains(id.utf8.count) && id.utf8.allSatisfy { 0x21...0x7E ~= $0 }
  }

  /// Returns the number of alerts of each kind, the most frequent first.
  private static func counts(_ alerts: [Alert]) -> String {
    let counts = Dictionary(grouping: alerts, by: \.title).mapValues(\.count)
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
  }
}

extension Alert {
  /// Creates the message that takes the place of the alert about a decided gate.
  init(decided gate: ApprovalGate) {
    self.init(
      ts: gate.ts, kind: .approvalGate, severity: .info,
      summary: "\(gate.body.status.rawValue): \(gate.body.summary)")
    (self.gateId, self.agentId, self.swarmId) = (gate.body.gateId, gate.agentId, gate.swarmId)
    self.webUrl = gate.body.webUrl
  }

  /// The words for the kind of problem.
  var title: String {
    switch body.kind {
    case .incident: "Incident"
    case .approvalGate: "Gate"
    case .contextCapacity: "Context"
    case .redundancySpike: "Redundancy"
    case .skillFailure: "Skill"
    case .swarmDegraded: "Swarm"
    case .swarmCost, .swarmAgents: "Budget"
    case .stuckAgents: "Agent"
    }
  }

  /// The title of a message: the words for the kind, and the short id of a gate.
  var heading: String { gateWord.map { "\(title) \($0)" } ?? title }

  /// The command that approves the gate; nil if the alert is about none, or it is decided.
  var approval: String? {
    // An alert about a decided gate is only information.
    body.severity > .info ? gateWord.map { "gate-decide approve \($0)" } : nil
  }

  /// The last eight characters of the gate's id; nil if a shell would not read them as one word.
  private var gateWord: String? {
    guard body.kind == .approvalGate, let word = body.gateId?.suffix(8),
      let first = word.utf8.first,
      first != UInt8(ascii: "-"),
      word.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F })
    else { return nil }
    return String(word)
  }

  /// The id of what has the problem; nil if the alert does not name it.
  private var subjectId: String? {
    switch body.kind {
    case .incident: self.incidentId
    case .approvalGate: self.gateId
    case .contextCapacity, .redundancySpike: self.sessionId
    case .skillFailure: self.skillId
    case .swarmDegraded, .swarmCost, .swarmAgents: self.swarmId
    case .stuckAgents: self.agentId
    }
  }

  /// The subject whose critical alerts share a limit: the kind, and the id of what has the problem
  /// or of whom it concerns.
  var subject: String {
    "\(body.kind.rawValue):\(subjectId ?? self.agentId ?? self.swarmId ?? "")"
  }

  /// The subject that a later message may be about: ``subject``, or this alert alone if it does not
  /// name the id of what has the problem.
  var replacedSubject: String { subjectId == nil ? "alert:\(self.srcId ?? "")" : subject }
}
