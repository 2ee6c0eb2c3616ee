import Core

/// The state of an approval gate, as its newest event reports it.
struct WatchedGate: WatchedDocument {
  static let kind = "gate"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedGate>> { \.gates }

  var id: String
  var status = ""
  var summary = ""
  var requestedBy: String?
  var agentId: String?
  var swarmId: String?
  var openedAt: Int64
  var updatedAt: Int64

  init(id: String, _ event: WatchedEvent) {
    self.id = id
    openedAt = event.at
    updatedAt = event.loggedAt
  }

  var liveUntil: Int64? { isPending ? .max : nil }

  /// `true` if the gate waits for a decision.
  var isPending: Bool { status == GateStatus.pending.rawValue }

  /// Folds the given event into the state of the gate.
  ///
  /// A decision is final.
  mutating func fold(_ event: WatchedEvent) {
    guard status.isEmpty || isPending else { return }
    status = event.status
    summary = ApprovalGate.words(event.summary, upTo: 300)
    requestedBy = event.requestedBy
    agentId = event.agentId
    swarmId = event.swarmId
    updatedAt = event.loggedAt
  }
}
