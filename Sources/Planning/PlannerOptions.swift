public import Core

/// The command-line options for the CEO.
public struct PlannerOptions: Sendable {
  /// The model.
  public var model: String?
  /// The roles of a `--team` file.
  public var team: [Role: Settings.RoleSettings] = [:]
  /// The sampling temperature.
  public var temperature: Double?
  /// The level of effort.
  public var effort: String?
  /// `true` to continue the last exchange.
  public var continues = false

  /// Creates options without values.
  public init() {}
}
