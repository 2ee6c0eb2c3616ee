public import Core
import Foundation
import Pipelines

/// The options of a run.
///
/// They are stored with the pipeline for later runs.
public struct RunOptions: Codable, Sendable, Hashable {
  /// The settings of one role in a `--team` file.
  public struct RoleSettings: Codable, Sendable, Hashable {
    var model: String?
    var temperature: Double?
    var system: String?
    var effort: String?
  }

  /// `true` to approve results automatically.
  public var yolo: Bool?
  /// The maximum cost in US dollars, including planning.
  public var maxCost: Double?
  /// The maximum number of tokens, including planning.
  public var maxTotalTokens: Int?
  /// The time in seconds after which a gate without a decision counts as rejected.
  public var gateTimeout: Double?
  /// `true` to allow pages on private addresses.
  public var allowPrivate: Bool?
  /// The model for every stage; nil if the stage or the configuration selects it.
  public var model: String?
  /// The level of effort for every stage; nil if the configuration selects it.
  public var effort: String?
  /// The settings of roles, by role.
  public var team: [String: RoleSettings]?

  /// Creates options without values.
  public init() {}

  /// Sets the settings of roles to those of a `--team` file.
  public mutating func setTeam(_ roles: [Role: Settings.RoleSettings]) {
    guard !roles.isEmpty else { return }
    team = [:]
    for (role, settings) in roles {
      team?[role.rawValue] = RoleSettings(
        model: settings.model, temperature: settings.temperature, system: settings.system,
        effort: settings.effort)
    }
  }

  var teamSettings: [Role: Settings.RoleSettings] {
    var roles: [Role: Settings.RoleSettings] = [:]
    for (name, settings) in team ?? [:] {
      roles[Role(rawValue: name)] = Settings.RoleSettings(
        model: settings.model, temperature: settings.temperature, system: settings.system,
        effort: settings.effort)
    }
    return roles
  }

  /// Returns these options.
  ///
  /// Missing values are taken from the given stored options.
  func over(_ stored: String?) -> RunOptions {
    guard let stored,
      let earlier = try? JSONDecoder().decode(RunOptions.self, from: Data(stored.utf8))
    else { return self }
    var result = self
    result.yolo = yolo ?? earlier.yolo
    result.maxCost = maxCost ?? earlier.maxCost
    result.maxTotalTokens = maxTotalTokens ?? earlier.maxTotalTokens
    result.gateTimeout = gateTimeout ?? earlier.gateTimeout
    result.allowPrivate = allowPrivate ?? earlier.allowPrivate
    result.model = model ?? earlier.model
    result.effort = effort ?? earlier.effort
    result.team = team ?? earlier.team
    return result
  }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
