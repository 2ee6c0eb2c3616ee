public import Core
import Foundation
import TOMLKit

/// Reads `config.toml`, or another file of that form.
public enum ConfigurationFile {
  /// The configuration in a file.
  ///
  /// - Returns: Nil when there is no such file.
  /// - Throws: `BadConfiguration` that names the file and, where it can, the line or the setting.
  public static func read(_ path: String) throws(Failure) -> Configuration? {
    guard access(path, F_OK) == 0 else { return nil }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw Failure(.badConfiguration, "cannot read '\(path)'", input: path)
    }
    guard let text = String(data: bytes, encoding: .utf8) else {
      throw Failure(.badConfiguration, "the file is not UTF-8", input: path)
    }
    do {
      let content = try TOMLDecoder().decode(Content.self, from: text)
      if let fault = content.fault { throw Failure(.badConfiguration, fault, input: path) }
      return Configuration(content)
    } catch let failure as Failure {
      throw failure
    } catch let error as TOMLParseError {
      throw Failure(
        .badConfiguration, Visible.line(error.description),
        input: "\(path):\(error.source.begin.line)")
    } catch DecodingError.typeMismatch(_, let context) {
      let name = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw Failure(.badConfiguration, "'\(name)' has a value of the wrong type", input: path)
    } catch {
      throw Failure(.badConfiguration, "the file cannot be read as a configuration", input: path)
    }
  }

  /// The roles that a `--team` file describes.
  ///
  /// - Throws: `NotFound` when there is no such file, else as ``read(_:)``.
  public static func team(_ path: String?) throws(Failure) -> [Role: Configuration.RoleSettings] {
    guard let path else { return [:] }
    guard let configuration = try read(path) else {
      throw Failure(.notFound, "cannot open '\(path)': no such file", input: path)
    }
    return configuration.roles
  }
}

/// The file as it is written.
private struct Content: Decodable {
  /// A number that may be written without a fraction: TOML tells `2` from `2.0`, people do not.
  struct Number: Decodable {
    var value: Double

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let whole = try? container.decode(Int.self) {
        value = Double(whole)
      } else {
        value = try container.decode(Double.self)
      }
    }
  }

  struct Role: Decodable {
    var model: String?
    var temperature: Number?
    var system: String?
  }

  struct Model: Decodable {
    var provider: String?
    var endpoint: String?
    var kind: String?
    var contextTokens: Int?
    var inputPricePerMillion: Number?
    var outputPricePerMillion: Number?
    var cacheReadPricePerMillion: Number?
    var cacheWritePricePerMillion: Number?
  }

  struct Limits: Decodable {
    var perMinute: Int?
    var terminationsPerMinute: Int?

    enum CodingKeys: String, CodingKey {
      case perMinute = "controls_per_minute"
      case terminationsPerMinute = "terminations_per_minute"
    }
  }

  struct Terminal: Decodable {
    var input: String?
    var confirm: String?
  }

  struct Agent: Decodable {
    var host: String
    var session: String
  }

  enum CodingKeys: String, CodingKey {
    case model, roles, models, limits, terminal, agents
    case keyCommand = "key_command"
    case confirmCommand = "confirm_command"
  }

  /// What is wrong though its type is right.
  var fault: String? {
    let counts = [
      ("limits.controls_per_minute", limits?.perMinute),
      ("limits.terminations_per_minute", limits?.terminationsPerMinute),
    ]
    if let name = counts.first(where: { ($0.1 ?? 0) < 0 })?.0 { return "'\(name)' is negative" }
    if let input = terminal?.input, !["allow", "never"].contains(input) {
      return "'terminal.input' is neither 'allow' nor 'never'"
    }
    if let confirm = terminal?.confirm, !["input", "always"].contains(confirm) {
      return "'terminal.confirm' is neither 'input' nor 'always'"
    }
    let commands = [("key_command", keyCommand), ("confirm_command", confirmCommand)]
    return commands.first { $0.1?.isEmpty ?? false }.map { "'\($0.0)' is empty" }
  }

  var model: String?
  var keyCommand: [String]?
  var confirmCommand: [String]?
  var limits: Limits?
  var terminal: Terminal?
  var agents: [String: Agent]?
  var roles: [String: Role]?
  var models: [String: Model]?
}

extension Configuration {
  fileprivate init(_ content: Content) {
    self.init()
    model = content.model
    keyCommand = content.keyCommand
    confirmCommand = content.confirmCommand
    limits.perMinute = content.limits?.perMinute ?? limits.perMinute
    limits.terminationsPerMinute =
      content.limits?.terminationsPerMinute ?? limits.terminationsPerMinute
    terminal.allowsInput = content.terminal?.input != "never"
    terminal.confirmsLooking = content.terminal?.confirm == "always"
    agentTerminals = (content.agents ?? [:]).mapValues {
      AgentTerminal(host: $0.host, session: $0.session)
    }
    for (name, role) in content.roles ?? [:] {
      roles[Role(rawValue: name)] = RoleSettings(
        model: role.model, temperature: role.temperature?.value, system: role.system)
    }
    for (name, model) in content.models ?? [:] {
      var settings = ModelSettings()
      settings.provider = model.provider
      settings.endpoint = model.endpoint
      settings.kind = model.kind
      settings.contextTokens = model.contextTokens
      settings.inputPricePerMillion = model.inputPricePerMillion?.value
      settings.outputPricePerMillion = model.outputPricePerMillion?.value
      settings.cacheReadPricePerMillion = model.cacheReadPricePerMillion?.value
      settings.cacheWritePricePerMillion = model.cacheWritePricePerMillion?.value
      models[name] = settings
    }
  }
}
