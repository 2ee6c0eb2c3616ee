import Core
import Events

/// The state of an incident.
struct WatchedIncident: WatchedDocument {
  static let kind = "incident"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedIncident>> { \.incidents }

  var id: String
  /// The origin of its errors.
  var place: String
  /// The fingerprint that its errors share.
  var fingerprint: String
  var severity: Log.Level
  var summary: String
  var swarmId: String?
  var agentId: String?
  var skillId: String?
  var count = 0
  var createdAt: Int64
  var updatedAt: Int64
  var closedAt: Int64?
  var closedBy: String?
  /// The time at which it was reopened.
  var reopenedAt: Int64?
  /// `true` if it is the failure of an agent's command; nil in data of an earlier version.
  var isDeath: Bool? = false

  var parent: String? { closedAt == nil ? Self.open : nil }

  /// The parent of all open incidents.
  static let open = "open"
  /// The number of events that are stored for each incident.
  static let keptEvents = 200

  /// Creates an incident from its first error.
  init(_ event: WatchedEvent, fingerprint: String) {
    self.fingerprint = fingerprint
    place = event.place
    id = Self.id(fingerprint, event.sequence, event.loggedAt)
    severity = event.level ?? .error
    isDeath = event.isDeath
    summary = event.title
    swarmId = event.swarmId
    agentId = event.agentId
    skillId = event.skillId
    createdAt = event.loggedAt
    updatedAt = event.loggedAt
  }

  /// Folds one more of its errors.
  mutating func fold(_ event: WatchedEvent) {
    updatedAt = max(updatedAt, event.loggedAt)
    if count > 0, continues(event) {
      // A crash counts once; its last error is the title, rather than the end of the command.
      if event.isDeath { isDeath = true } else { summary = event.title }
    } else {
      count += event.weight
      if event.isDeath { summary = event.title }
    }
    if let level = event.level { severity = max(severity, level) }
  }

  /// Returns `true` if an event is a further error of the crash that began this incident.
  func continues(_ event: WatchedEvent) -> Bool {
    agentId == event.agentId && event.causeFingerprint == fingerprint
  }

  /// The name that closes quiet incidents.
  static let quietCloser = "agentpipes"

  /// Returns the time at which it ends if nothing more happens.
  func quietEnd(_ thresholds: Thresholds) -> Int64 {
    let seconds = min(thresholds.value(.incidentQuiet, id), 1e10)
    return max(updatedAt, reopenedAt ?? 0) + Int64(seconds * 1000)
  }

  /// Closes the incident.
  mutating func close(at instant: Int64, by closer: String) {
    closedAt = instant
    closedBy = closer
  }

  /// Reopens the incident.
  mutating func reopen(at instant: Int64) {
    closedAt = nil
    closedBy = nil
    reopenedAt = instant
  }

  /// The owner whose events belong to it even if they are no errors: the agent, or else the swarm.
  var owner: String { agentId.map { "agent " + $0 } ?? "swarm " + (swarmId ?? "") }

  /// Returns the possible owners of an event.
  static func owners(of event: WatchedEvent) -> [String] {
    [event.agentId.map { "agent " + $0 }, event.swarmId.map { "swarm " + $0 }].compactMap(\.self)
  }

  /// The incident as a record.
  var record: Incident {
    Incident(
      id: id, severity: severity, summary: summary, swarmId: swarmId, agentId: agentId,
      skillId: skillId, count: count, createdAt: Timestamp(createdAt),
      updatedAt: Timestamp(updatedAt), status: closedAt == nil ? .open : .closed,
      closedAt: closedAt.map { Timestamp($0) }, closedBy: closedBy)
  }

  /// Returns an ID that is the same for everybody who folds the same log: a UUID by name (RFC 9562,
  /// 5.8).
  private static func id(_ fingerprint: String, _ sequence: Int64, _ loggedAt: Int64) -> String {
    var digits = Array(
      SHA256Digest.hexadecimal(Array("\(fingerprint)\n\(sequence)\n\(loggedAt)".utf8)).prefix(32))
    digits[12] = "8"
    digits[16] = "8"
    var text = String(digits)
    for offset in [20, 16, 12, 8] {
      text.insert("-", at: text.index(text.startIndex, offsetBy: offset))
    }
    return text
  }
}

extension WatchedEvent {
  /// The origin: the swarm, else the agent.
  var place: String { swarmId ?? agentId ?? "" }

  /// The fingerprint of errors of one kind: their origin, and the message without its variable
  /// parts, such as numbers, IDs and quoted text.
  ///
  /// The failure of an agent's command is never shared with other agents.
  var fingerprint: String {
    isDeath ? "\(place)\n\(agentId ?? "")\nend" : fingerprint(of: crashName ?? message)
  }

  /// The fingerprint of the error that caused it.
  var causeFingerprint: String? { cause.map { fingerprint(of: $0) } }

  /// The title for people.
  var title: String {
    String(Visible.line(crashName ?? message).prefix(isDeath ? 600 : 200))
  }

  /// The name of the crash in a message of several lines.
  private var crashName: String? {
    let message = message
    return message.contains(where: \.isNewline) ? CrashReader.name(in: message) : nil
  }

  private func fingerprint(of message: String) -> String {
    var words: [String] = []
    for word in message.prefix(2000).split(whereSeparator: \.isWhitespace).prefix(100) {
      let isVaried =
        word.contains { $0.isNumber } || word.hasPrefix("'") || word.hasPrefix("\"")
        || word.hasPrefix("`")
      words.append(isVaried ? "#" : word.lowercased())
    }
    return "\(place)\n\(skillId ?? "")\n" + words.joined(separator: " ")
  }
}
