import Core
import Events

/// What is known of an incident.
struct WatchedIncident: WatchedDocument {
  static let kind = "incident"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedIncident>> { \.incidents }

  var id: String
  /// Where its errors come from.
  var place: String
  /// What its errors have in common.
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
  /// When somebody opened it again.
  var reopenedAt: Int64?
  /// Whether it is that an agent's command ended badly; earlier versions kept nothing of it.
  var isDeath: Bool? = false

  var parent: String? { closedAt == nil ? Self.open : nil }

  /// The parent of all that go on.
  static let open = "open"
  /// How many events of an incident are kept.
  static let keptEvents = 200

  /// Begins with the first of its errors.
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

  /// Folds in one more of its errors.
  mutating func fold(_ event: WatchedEvent) {
    updatedAt = max(updatedAt, event.loggedAt)
    if count > 0, continues(event) {
      // One crash is counted once; the last of its errors names it, and not that the command ended.
      if event.isDeath { isDeath = true } else { summary = event.title }
    } else {
      count += event.weight
      if event.isDeath { summary = event.title }
    }
    if let level = event.level { severity = max(severity, level) }
  }

  /// `true` if an event is a further error of a crash that this began with.
  func continues(_ event: WatchedEvent) -> Bool {
    agentId == event.agentId && event.causeFingerprint == fingerprint
  }

  /// Who closes one of which nothing comes any more.
  static let quietCloser = "agentpipes"

  /// When it is over unless something more comes.
  func quietEnd(_ thresholds: Thresholds) -> Int64 {
    let seconds = min(thresholds.value(.incidentQuiet, id), 1e10)
    return max(updatedAt, reopenedAt ?? 0) + Int64(seconds * 1000)
  }

  /// Ends it.
  mutating func close(at instant: Int64, by closer: String) {
    closedAt = instant
    closedBy = closer
  }

  /// Takes its end back.
  mutating func reopen(at instant: Int64) {
    closedAt = nil
    closedBy = nil
    reopenedAt = instant
  }

  /// Whose events belong to it, though they may be no errors: the agent's, or else the swarm's.
  var owner: String { agentId.map { "agent " + $0 } ?? "swarm " + (swarmId ?? "") }

  /// Whose events an event is one of.
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

  /// The same for everybody who folds the same log: a UUID by name (RFC 9562, 5.8).
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
  /// Where it comes from: the swarm, else the agent.
  var place: String { swarmId ?? agentId ?? "" }

  /// What errors of one kind have in common: where they come from, and their words without what
  /// changes from one to the next: numbers, ids, and what stands in quotes.
  ///
  /// An agent dies alone.
  var fingerprint: String {
    isDeath ? "\(place)\n\(agentId ?? "")\nend" : fingerprint(of: crashName ?? message)
  }

  /// The fingerprint of the error that it follows from.
  var causeFingerprint: String? { cause.map { fingerprint(of: $0) } }

  /// What a person reads of it.
  var title: String {
    String(Visible.line(crashName ?? message).prefix(isDeath ? 600 : 200))
  }

  /// The name of the crash that a message of several lines tells of.
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
