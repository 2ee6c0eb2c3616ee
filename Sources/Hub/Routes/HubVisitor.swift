/// Who asks a hub for something.
struct HubVisitor: Sendable, Hashable {
  /// What somebody may do.
  enum Scope: String, Sendable, CaseIterable {
    /// Everything.
    case all
    /// Send what agents do.
    case events
    /// Send every kind of event, as another hub does.
    case hub
  }

  /// Tells the visitor's events from those of others; the operator of this machine has none.
  var deviceId: String?
  /// What the audit calls the visitor.
  var name: String
  /// What the visitor may do.
  var scope: Scope
}
