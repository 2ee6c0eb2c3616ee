/// The settings of `config.toml`.
///
/// Flags and environment variables take precedence over them.
public struct Settings: Sendable, Hashable {
  /// The defaults of a role.
  public struct RoleSettings: Sendable, Hashable {
    /// The name of the model that the role uses.
    public var model: String?
    /// The sampling temperature.
    public var temperature: Double?
    /// The system prompt.
    public var system: String?
    /// The effort level.
    public var effort: String?

    /// Creates the settings.
    public init(
      model: String? = nil, temperature: Double? = nil, system: String? = nil,
      effort: String? = nil
    ) {
      (self.model, self.temperature, self.system) = (model, temperature, system)
      self.effort = effort
    }
  }

  /// The settings of a model that the user described, or whose price the user set.
  public struct ModelSettings: Sendable, Hashable {
    /// The provider's name.
    public var provider: String?
    /// The base URL of its server.
    public var endpoint: String?
    /// The API of its endpoint: `chat`, `responses` or `image`.
    public var kind: String?
    /// The name of the secret that authenticates requests; nil for the secret of the provider.
    public var key: String?
    /// The size of the context window in tokens.
    public var contextTokens: Int?
    /// The price of a million input tokens in US dollars.
    public var inputPricePerMillion: Double?
    /// The price of a million output tokens in US dollars.
    public var outputPricePerMillion: Double?
    /// The price in US dollars of a million tokens read from a cache.
    public var cacheReadPricePerMillion: Double?
    /// The price in US dollars of a million tokens written to a cache.
    public var cacheWritePricePerMillion: Double?
    /// The price in US dollars of a million tokens written to a cache that keeps them for an hour.
    public var cacheWrite1hPricePerMillion: Double?
    /// Different prices for requests with large inputs, one band for each input size.
    public var bands: [ModelRecord.Band]?
    /// The limit of output tokens.
    public var maxOutputTokens: Int?
    /// The request parameters that the model rejects.
    public var refuses: [String]?
    /// The effort levels that the model accepts.
    public var efforts: [String]?
    /// The effort level that requests to the model use.
    public var effort: String?
    /// The catalogue row that describes the model, as `PROVIDER` or `PROVIDER/NAME`.
    public var catalogue: String?

    /// The names of all providers.
    public static let providers = [
      "anthropic", "openai", "azure", "github", "local", "apple", "extractive",
    ]
    /// The kinds of API that a model's endpoint may have.
    public static let kinds = ["chat", "responses", "image"]

    /// Creates settings that are all absent.
    public init() {}
  }

  /// The settings that permit actions in terminals on hosts.
  public struct TerminalSettings: Sendable, Hashable {
    /// `true` if input may be sent to terminals.
    public var allowsInput = true
    /// `true` if `confirm_command` must also confirm that a terminal is viewed.
    public var confirmsLooking = false

    /// Creates the default settings.
    public init() {}
  }

  /// The location of an agent's terminal.
  public struct AgentTerminal: Sendable, Hashable {
    /// The host, in a form that tmux-attach accepts.
    public var host: String
    /// The name of the tmux session on the host.
    public var session: String

    /// Creates the location.
    public init(host: String, session: String) {
      (self.host, self.session) = (host, session)
    }
  }

  /// A server of the Model Context Protocol.
  public struct MCPSettings: Sendable, Hashable, Codable {
    /// The program and its arguments, for a server over stdio.
    public var command: [String]?
    /// The variables of the program; `key:NAME` stands for a secret of the key store.
    public var env: [String: String]?
    /// The folder in which the program runs.
    public var cwd: String?
    /// The URL, for a server over HTTP.
    public var url: String?
    /// The header fields of requests; `key:NAME` stands for a secret of the key store.
    public var headers: [String: String]?
    /// The time limit of a call in seconds.
    public var timeout: Double?
    /// The revision of the protocol, such as `2025-11-25`; nil to find it.
    public var `protocol`: String?
    /// The patterns of tools that may be called again after a lost answer.
    public var repeatable: [String]?
    /// The client id that the server's operator assigned.
    public var clientId: String?
    /// `true` if the entry comes from a file of another program, so that a person must agree before
    /// the server starts; `${VAR}` in it stands for a variable of the environment.
    public var isImported = false

    /// Creates settings with no values.
    public init() {}
  }

  /// The settings of Composio's tools.
  public struct ComposioSettings: Sendable, Hashable {
    /// The user whose connected accounts are used; nil for `default`.
    public var userId: String?
    /// The toolkits whose tools are used; empty for all.
    public var toolkits: [String] = []

    /// Creates settings with no values.
    public init() {}
  }

  /// The patterns of requests that hooks of agents decide without a person.
  public struct HookSettings: Sendable, Hashable {
    /// The requests that run.
    public var allow: [String] = []
    /// The requests that do not run.
    public var deny: [String] = []
    /// The requests that a person decides although they match ``allow``.
    public var ask: [String] = []

    /// Creates settings without patterns.
    public init() {}
  }

  /// A target of alerts.
  public struct PushSettings: Sendable, Hashable {
    /// The way in which messages reach a target.
    public enum Kind: String, Sendable, CaseIterable {
      case ntfy, webhook, desktop, mail, command, devices, apns
    }

    /// The kind of the target.
    public var kind: Kind
    /// The URL of a topic or a webhook; `key:NAME` stands for a secret of the key store.
    public var url: String?
    /// The address of a mailbox.
    public var address: String?
    /// The program that gets each alert on its standard input, and its arguments.
    public var command: [String]?
    /// The name of the secret that signs or authenticates requests.
    public var key: String?
    /// `true` if requests to a webhook are signed.
    public var signs = true
    /// The file with the key of Apple's push service, the key's id, and the developer's team.
    public var keyFile: String?, keyId: String?, teamId: String?
    /// The bundle id of the app that receives messages, and the service: `production` or `development`.
    public var topic: String?, environment: String?
    /// `true` if the URL may lead to a private address.
    public var allowsPrivate = false
    /// The kinds of alert that the target gets; empty for all.
    public var kinds: [Alert.Kind] = []
    /// The lowest severity of alerts that the target gets; nil for the default.
    public var minSeverity: Log.Level?
    /// The swarms whose alerts the target gets; empty for all.
    public var swarms: [String] = []
    /// The maximum number of messages per minute, without those of critical alerts.
    public var perMinute = 6
    /// The daily period without messages, such as `22:00-07:00`, as text that is not parsed.
    public var quiet: String?

    /// Creates the default settings of the given kind.
    public init(_ kind: Kind) { self.kind = kind }
  }

  /// The default model.
  public var model: String?
  /// The targets of alerts, by name.
  public var push: [String: PushSettings] = [:]
  /// The URL at which push services reach the sender: `contact` of `[push]`.
  public var pushContact: String?
  /// The servers of the Model Context Protocol, by name.
  public var mcp: [String: MCPSettings] = [:]
  /// The settings of Composio's tools.
  public var composio = ComposioSettings()
  /// The patterns of tools that run without a question.
  public var allowedTools: [String] = []
  /// The patterns of requests that hooks of agents decide.
  public var hook = HookSettings()
  /// The patterns of tools that the chats of companions may use: `tools` of `[serve]`.
  public var servedTools: [String] = []
  /// A command that prints a secret; `{name}` stands for the secret's name.
  public var keyCommand: [String]?
  /// The command that confirms an action by ending with exit status 0.
  public var confirmCommand: [String]?
  /// The settings of each role.
  public var roles: [Role: RoleSettings] = [:]
  /// The rate limits of controls and decisions.
  public var limits = ActionLimits()
  /// The settings that permit actions in terminals on hosts.
  public var terminal = TerminalSettings()
  /// The locations of agents' terminals, by agent id.
  public var agentTerminals: [String: AgentTerminal] = [:]
  /// The settings for a login with GitHub: `client_id` and `token_exchange_url`.
  public var gitHub: [String: String] = [:]
  /// The settings of `[serve]`, as text that is not parsed.
  public var serve: [String: String] = [:]
  /// The URLs of the hosts whose chats can be read, by local name.
  public var hosts: [String: String] = [:]
  /// The URLs of hubs, by local name.
  public var hubs: [String: String] = [:]
  /// The settings of models, by model name.
  public var models: [String: ModelSettings] = [:]
  /// The names of models, by alias.
  public var aliases: [String: String] = [:]

  /// Creates a configuration with no settings.
  public init() {}
}
