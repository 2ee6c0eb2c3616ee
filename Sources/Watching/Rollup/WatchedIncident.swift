import Core
import Events

/// The state of an incident.
struct WatchedIncident: WatchedDocument {
  static let kind = "incident"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedIncident>> { \.incidents }

  var id: String
  /// The origin of the incident's errors.
  ///
  /// It is a swarm or, for an agent without a swarm, the agent.
  var place: String
  /// The fingerprint that the incident's errors share.
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
  /// The time at which the incident was last reopened; nil if never.
  var reopenedAt: Int64?
  /// The time of the first alert.
  var alertedAt: Int64?
  /// The time at which the incident was first shown on its own.
  var firstSeenAt: Int64?
  /// The time of the first control of the owner, or at which a person closed the incident.
  var firstControlAt: Int64?
  /// `true` if the incident reports the failure of an agent's command; nil in data of an earlier
  /// version.
  var isDeath: Bool? = false

  var parent: String? { closedAt == nil ? Self.open : nil }

  /// The parent ID under which all open incidents are stored.
  static let open = "open"
  /// The number of events that are stored for each incident.
  static let keptEvents = 200

  /// Creates an incident from the given event, which is its first error.
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

  /// Folds the given further error into the incident.
  mutating func fold(_ event: WatchedEvent) {
    updatedAt = max(updatedAt, event.loggedAt)
    if count > 0, continues(event) {
      // A crash counts once. Its last error is the title, and not the end of the command.
      if event.isDeath { isDeath = true } else { summary = event.title }
    } else {
      count += event.weight
      if event.isDeath { summary = event.title }
    }
    if let level = event.level { severity = max(severity, level) }
  }

  /// Returns `true` if the given error belongs to the crash with which this incident began.
  func continues(_ event: WatchedEvent) -> Bool {
    agentId == event.agentId && event.causeFingerprint == fingerprint
  }

  /// The name that is recorded as the person who closed a quiet incident.
  static let quietCloser = "agentpipes"

  /// Returns the time at which the incident closes if no further errors follow.
  func quietEnd(_ thresholds: Thresholds) -> Int64 {
    let seconds = min(thresholds.value(.incidentQuiet, id), 1e10)
    return max(updatedAt, reopenedAt ?? 0) + Int64(seconds * 1000)
  }

  /// Closes the incident in the name of the given person.
  mutating func close(at instant: Int64, by closer: String) {
    if closer != Self.quietCloser { firstControlAt = firstControlAt ?? instant }
    closedAt = instant
    closedBy = closer
  }

  /// Reopens the incident.
  mutating func reopen(at instant: Int64) {
    closedAt = nil
    closedBy = nil
    reopenedAt = instant
  }

  /// The owner of the incident.
  ///
  /// Its events belong to the incident even if they are not errors.
  ///
  /// The owner is the agent or, without an agent, the swarm.
  var owner: String { agentId.map { "agent " + $0 } ?? "swarm " + (swarmId ?? "") }

  /// Returns the owners whose incidents the given event may belong to.
  static func owners(of event: WatchedEvent) -> [String] {
    [event.agentId.map { "agent " + $0 }, event.swarmId.map { "swarm " + $0 }].compactMap(\.self)
  }

  /// The incident as a record.
  var record: Incident {
    Incident(
      id: id, severity: severity, summary: summary, swarmId: swarmId, agentId: agentId,
      skillId: skillId, count: count, createdAt: Timestamp(createdAt),
      updatedAt: Timestamp(updatedAt), status: closedAt == nil ? .open : .closed,
      closedAt: closedAt.map { Timestamp($0) }, closedBy: closedBy
    ).with { incident in
      incident.alertedAt = alertedAt.map { Timestamp($0) }
      incident.firstSeenAt = firstSeenAt.map { Timestamp($0) }
      incident.firstControlAt = firstControlAt.map { Timestamp($0) }
    }
  }

  /// Returns an ID that depends only on the log.
  ///
  /// It is a UUID by name (RFC 9562, 5.8).
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
  /// The origin of the event: its swarm or, without a swarm, its agent.
  var place: String { swarmId ?? agentId ?? "" }

  /// The fingerprint of the error.
  ///
  /// It consists of the origin and of the message without variable parts, such as numbers, IDs and
  /// quoted text. For a failed command, it also contains the agent.
  var fingerprint: String {
    isDeath ? "\(place)\n\(agentId ?? "")\nend" : fingerprint(of: crashName ?? message)
  }

  /// The fingerprint of the error that caused this one.
  var causeFingerprint: String? { cause.map { fingerprint(of: $0) } }

  /// The title for an incident that begins with this error.
  var title: String {
    String(Visible.line(crashName ?? message).prefix(isDeath ? 600 : 200))
  }

  /// The line that names the crash, if the message has several lines; nil otherwise.
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
