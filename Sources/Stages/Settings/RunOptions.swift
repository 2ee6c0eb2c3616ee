public import Core
import Foundation
import Pipelines

/// How a pipeline is run; kept with it, so that a resumed run goes on as it began.
public struct RunOptions: Codable, Sendable, Hashable {
  /// What `--team` says about a role.
  public struct RoleSettings: Codable, Sendable, Hashable {
    var model: String?
    var temperature: Double?
    var system: String?
    var effort: String?
  }

  /// Whether results are approved without asking.
  public var yolo: Bool?
  /// US dollars that the pipeline may cost, planning included.
  public var maxCost: Double?
  /// Tokens that it may use.
  public var maxTotalTokens: Int?
  /// Seconds after which a gate that nobody decides is rejected.
  public var gateTimeout: Double?
  /// Whether pages on private addresses may be read.
  public var allowPrivate: Bool?
  /// The model of every stage.
  public var model: String?
  /// The level of effort of every stage.
  public var effort: String?
  /// Settings by role.
  public var team: [String: RoleSettings]?

  /// Options of which none is given.
  public init() {}

  /// The settings of a `--team` file as options.
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

  /// These options, and where they say nothing, the stored ones.
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
