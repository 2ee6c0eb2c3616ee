public import Core

/// What options say about the CEO.
public struct PlannerOptions: Sendable {
  /// The model to ask.
  public var model: String?
  /// The roles of a `--team` file.
  public var team: [Role: Settings.RoleSettings] = [:]
  /// The sampling temperature.
  public var temperature: Double?
  /// The level of effort.
  public var effort: String?
  /// Whether planning goes on with the last exchange.
  public var continues = false

  /// Options of which none is given.
  public init() {}
}
