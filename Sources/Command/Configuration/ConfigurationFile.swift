public import Core
import Foundation
import TOML

/// The reading of `config.toml` and of other files in the same format.
public enum ConfigurationFile {
  /// Reads the configuration from the given file.
  ///
  /// Other users must not be able to write the file, because it may name commands.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - reportsUnknown: `true` to report settings that no tool knows on stderr.
  /// - Returns: The configuration; nil if the file does not exist.
  /// - Throws: `BadConfiguration` if the file is invalid; `PermissionDenied` if other users own the
  ///   file or its folder, or may write to one of them. The failure names the file and, if
  ///   possible, the line or the setting.
  public static func read(
    _ path: String, reportsUnknown: Bool = false
  ) throws(Failure) -> Settings? {
    let file: PlainFile
    do throws(PlainFile.Problem) {
      file = try PlainFile(obeyed: path, atMost: TOMLReader.longest)
    } catch {
      switch error {
      case .missing: return nil
      case .unsafe:
        throw Failure(
          .permissionDenied, error.reason, kind: .unsafeMode, input: path,
          nextStep: "change its owner or mode")
      default: throw unreadable(path, error.reason)
      }
    }
    return try configuration(file.bytes, path, reportsUnknown: reportsUnknown)
  }

  /// Reads the roles that the given `--team` file describes.
  ///
  /// The file may be a pipe, and may belong to any user, because the user names it and it contains
  /// no commands.
  ///
  /// - Throws: `NotFound` if the file does not exist; `BadConfiguration` if it is invalid.
  public static func team(_ path: String?) throws(Failure) -> [Role: Settings.RoleSettings] {
    guard let path else { return [:] }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      let reason = String(cString: strerror(errno))
      guard errno != ENOENT && errno != ENOTDIR else {
        throw Failure(.notFound, "cannot open '\(path)': no such file", input: path)
      }
      throw unreadable(path, reason)
    }
    do {
      var bytes: [UInt8] = []
      while bytes.count <= TOMLReader.longest, let more = try handle.read(upToCount: 1 << 16),
        !more.isEmpty
      {
        bytes += more
      }
      return try configuration(bytes, path, reportsUnknown: true).roles
    } catch let failure as Failure {
      throw failure
    } catch {
      throw unreadable(path, "it is not a readable file")
    }
  }

  /// Returns the configuration that the given content of a file describes.
  ///
  /// - Throws: `BadConfiguration` if the content is invalid.
  package static func configuration(
    _ bytes: [UInt8], _ path: String, reportsUnknown: Bool = false
  ) throws(Failure) -> Settings {
    let table: TOMLTable
    do throws(TOMLFault) {
      table = try TOMLReader.read(bytes)
    } catch {
      let place = error.column.map { ", at column \($0)" } ?? ""
      throw Failure(.badConfiguration, error.reason + place, input: "\(path):\(error.line)")
    }
    let file = ConfigurationSection(table, file: path)
    let settings = try Settings(file)
    if reportsUnknown { file.unknown.report() }
    return settings
  }

  private static func unreadable(_ path: String, _ reason: String) -> Failure {
    Failure(.badConfiguration, "cannot read '\(path)': \(reason)", input: path)
  }
}

extension Settings {
  fileprivate init(_ file: ConfigurationSection) throws(Failure) {
    self.init()
    model = try file.string("model")
    keyCommand = try file.command("key_command")
    confirmCommand = try file.command("confirm_command")
    let limits = try file.section("limits")
    self.limits.perMinute = try limits.count("controls_per_minute") ?? self.limits.perMinute
    self.limits.terminationsPerMinute =
      try limits.count("terminations_per_minute") ?? self.limits.terminationsPerMinute
    let gitHub = try file.section("github")
    for name in ["client_id", "token_exchange_url"] { self.gitHub[name] = try gitHub.string(name) }
    let serve = try file.section("serve")
    for name in [
      "listen", "public_url", "incident_url", "gate_url", "trace_url", "session_url",
      "terminal_host", "auth", "otlp_listen",
    ] {
      self.serve[name] = try serve.string(name)
    }
    for name in ["keep_events", "keep_bytes", "keep_days"] {
      self.serve[name] = try serve.count(name).map(String.init)
    }
    for name in ["page", "otlp_content"] {
      self.serve[name] = try serve.flag(name).map(String.init)
    }
    servedTools = try serve.strings("tools") ?? []
    allowedTools = try file.section("tools").strings("allow") ?? []
    hook = try HookSettings(try file.section("hook"))
    let composio = try file.section("composio")
    self.composio.userId = try composio.string("user_id")
    self.composio.toolkits = try composio.strings("toolkits") ?? []
    for (name, server) in try file.sections("mcp") { mcp[name] = try MCPSettings(server) }
    pushContact = try file.section("push").string("contact")
    for (name, target) in try file.sections("push", except: ["contact"]) {
      push[name] = try PushSettings(target)
    }
    for (name, host) in try file.sections("hosts") { hosts[name] = try host.required("url") }
    for (name, hub) in try file.sections("hub") { hubs[name] = try hub.required("url") }
    let terminal = try file.section("terminal")
    self.terminal.allowsInput = try terminal.choice("input", of: ["allow", "never"]) != "never"
    self.terminal.confirmsLooking =
      try terminal.choice("confirm", of: ["input", "always"]) == "always"
    for (name, agent) in try file.sections("agents") {
      agentTerminals[name] = AgentTerminal(
        host: try agent.required("host"), session: try agent.required("session"))
    }
    let planned = ([.ceo] + Role.planned).map(\.rawValue)
    for (name, role) in try file.sections("roles") {
      // An unknown role is only reported, because a stage that a person wrote may have any role.
      role.checkName("role of a plan", among: planned)
      roles[Role(rawValue: name)] = RoleSettings(
        model: try role.string("model"), temperature: try role.amount("temperature"),
        system: try role.string("system"), effort: try role.string("effort"))
    }
    for (name, model) in try file.sections("models") {
      models[name] = try ModelSettings(model)
    }
    let aliases = try file.section("aliases")
    for name in aliases.names { self.aliases[name] = try aliases.required(name) }
  }
}

extension Settings.HookSettings {
  fileprivate init(_ hook: ConfigurationSection) throws(Failure) {
    self.init()
    allow = try hook.strings("allow") ?? []
    deny = try hook.strings("deny") ?? []
    ask = try hook.strings("ask") ?? []
  }
}

extension Settings.MCPSettings {
  fileprivate init(_ server: ConfigurationSection) throws(Failure) {
    self.init()
    command = try server.strings("command")
    cwd = try server.string("cwd")
    url = try server.string("url")
    timeout = try server.amount("timeout")
    `protocol` = try server.string("protocol")
    repeatable = try server.strings("repeatable")
    clientId = try server.string("client_id")
    isImported = try server.choice("from", of: ["import"]) != nil
    env = try server.words("env")
    headers = try server.words("headers")
  }
}

extension Settings.PushSettings {
  fileprivate init(_ target: ConfigurationSection) throws(Failure) {
    self.init(try target.required("kind", of: Kind.self))
    url = try target.string("url")
    address = try target.string("address")
    command = try target.command("command")
    key = try target.string("key")
    signs = try target.flag("signed") ?? true
    keyFile = try target.string("key_file")
    keyId = try target.string("key_id")
    teamId = try target.string("team_id")
    topic = try target.string("topic")
    environment = try target.string("environment")
    allowsPrivate = try target.flag("allow_private") ?? false
    kinds = try target.list("kinds", of: Alert.Kind.self, by: Alert.Kind.init(word:))
    minSeverity = try target.value("min_severity", of: Log.Level.self)
    swarms = try target.strings("swarms") ?? []
    perMinute = try target.positive("per_minute") ?? perMinute
    quiet = try target.string("quiet")
  }
}

extension Settings.ModelSettings {
  fileprivate init(_ model: ConfigurationSection) throws(Failure) {
    self.init()
    provider = try model.string("provider", "provider", among: Self.providers)
    endpoint = try model.string("endpoint")
    kind = try model.string("kind", "kind of a model", among: Self.kinds)
    key = try model.string("key")
    contextTokens = try model.count("contextTokens")
    inputPricePerMillion = try model.amount("inputPricePerMillion")
    outputPricePerMillion = try model.amount("outputPricePerMillion")
    cacheReadPricePerMillion = try model.amount("cacheReadPricePerMillion")
    cacheWritePricePerMillion = try model.amount("cacheWritePricePerMillion")
    cacheWrite1hPricePerMillion = try model.amount("cacheWrite1hPricePerMillion")
    maxOutputTokens = try model.count("maxOutputTokens")
    refuses = try model.strings("refuses")
    efforts = try model.strings("efforts")
    effort = try model.string("effort")
    catalogue = try model.string("catalogue")
    for section in try model.list("bands") {
      var band = ModelRecord.Band(
        aboveInputTokens: try section.requiredCount("aboveInputTokens"))
      band.inputPricePerMillion = try section.amount("inputPricePerMillion")
      band.outputPricePerMillion = try section.amount("outputPricePerMillion")
      band.cacheReadPricePerMillion = try section.amount("cacheReadPricePerMillion")
      band.cacheWritePricePerMillion = try section.amount("cacheWritePricePerMillion")
      band.cacheWrite1hPricePerMillion = try section.amount("cacheWrite1hPricePerMillion")
      bands = (bands ?? []) + [band]
    }
  }
}
