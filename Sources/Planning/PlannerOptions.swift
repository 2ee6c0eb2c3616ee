public import Core

/// The command-line options for planning.
public struct PlannerOptions: Sendable {
  /// The name of the model; nil if the configuration selects it.
  public var model: String?
  /// The settings of roles in a `--team` file.
  public var team: [Role: Settings.RoleSettings] = [:]
  /// The sampling temperature.
  public var temperature: Double?
  /// The level of effort.
  public var effort: String?
  /// `true` to continue the last planning exchange.
  public var continues = false

  /// Creates options without values.
  public init() {}
}
