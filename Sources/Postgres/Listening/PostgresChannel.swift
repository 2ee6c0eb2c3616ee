/// A channel of notifications about commits.
enum PostgresChannel: String, CaseIterable, Sendable {
  /// The channel of transactions that changed records.
  case records = "agentpipes"
  /// The channel of transactions that added events.
  case events = "agentpipesevents"
}
