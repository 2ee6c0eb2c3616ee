import Core
import Events

/// The state of a conversation's context.
struct WatchedSession: WatchedDocument {
  static let kind = "session"
  static var shelf: WritableKeyPath<WatchedMemory, DocumentShelf<WatchedSession>> { \.sessions }

  var id: String
  var agentId: String
  var swarmId: String?
  var model: String?
  var tokens = 0
  var maxTokens: Int?
  var redundancy: Double?
  var isCompacted = false
  /// The number of tokens after each of the last calls, the oldest first; nil in the state of an earlier
  /// version.
  var history: [Int]?
  var updatedAt: Int64

  /// The number of calls in the history.
  private static let mostCalls = 20

  var parent: String? { agentId }

  init(id: String, agentId: String, updatedAt: Int64) {
    self.id = id
    self.agentId = agentId
    self.updatedAt = updatedAt
  }

  /// The used fraction of the context; nil if the size of the context is unknown.
  var fullness: Double? {
    maxTokens.flatMap { $0 > 0 ? Double(tokens) / Double($0) : nil }
  }

  /// Folds the given model call into the state.
  mutating func fold(_ event: WatchedEvent) {
    // If calls arrive out of order, the newest one determines the fullness.
    guard event.at >= updatedAt else { return }
    updatedAt = event.at
    swarmId = event.swarmId ?? swarmId
    // The sum over all requests of a turn, or the increase of a call, is not the size of the
    // context.
    if let usage = event.usage, event.attribute(.usageScope) == nil {
      tokens = usage.totalTokens
      history = ((history ?? []) + [tokens]).suffix(Self.mostCalls)
    }
    if !event.isIncrease { model = event.model ?? model }
    foldSize(event)
    if let score = event.number(.redundancy) { redundancy = min(score, 1) }
    if event.has(.compacted) { isCompacted = true }
  }

  /// Folds the size of the context into the state, if the given event reports it.
  mutating func foldSize(_ event: WatchedEvent) {
    if let most = event.number(.maxContextTokens) { maxTokens = Int(most) }
  }

  /// Returns the state of the context as a record.
  func record(_ thresholds: Thresholds) -> ContextHealth {
    var warnings: [String] = []
    if let fullness, fullness >= thresholds.value(.contextCapacity, id) {
      warnings.append("nearCapacity")
    }
    if let redundancy, redundancy >= thresholds.value(.redundancySpike, id) {
      warnings.append("redundancy")
    }
    if isCompacted { warnings.append("compacted") }
    var health = ContextHealth(
      sessionId: id, agentId: agentId, swarmId: swarmId, model: model, tokenUsage: tokens,
      maxTokens: maxTokens, redundancyScore: redundancy, warnings: warnings,
      updatedAt: Timestamp(updatedAt))
    health.history = history
    return health
  }
}
