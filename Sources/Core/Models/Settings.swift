/// What `config.toml` may set; flags and the environment win over it.
public struct Settings: Sendable, Hashable {
  /// What a role uses unless told otherwise.
  public struct RoleSettings: Sendable, Hashable {
    /// A model's name.
    public var model: String?
    /// The sampling temperature.
    public var temperature: Double?
    /// The system prompt.
    public var system: String?
    /// The level of effort.
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

  /// A model the user described, or one whose price they set.
  public struct ModelSettings: Sendable, Hashable {
    /// The provider's name.
    public var provider: String?
    /// The base URL of its server.
    public var endpoint: String?
    /// What its endpoint speaks: `chat`, `responses` or `image`.
    public var kind: String?
    /// The name of the secret that it is asked with; nil for the provider's own.
    public var key: String?
    /// How many tokens fit into a request.
    public var contextTokens: Int?
    /// US dollars a million input tokens.
    public var inputPricePerMillion: Double?
    /// US dollars a million output tokens.
    public var outputPricePerMillion: Double?
    /// US dollars a million tokens read from a cache.
    public var cacheReadPricePerMillion: Double?
    /// US dollars a million tokens written to a cache.
    public var cacheWritePricePerMillion: Double?
    /// US dollars a million tokens written to a cache for an hour.
    public var cacheWrite1hPricePerMillion: Double?
    /// The prices of larger requests.
    public var bands: [ModelRecord.Band]?
    /// The most tokens of output.
    public var maxOutputTokens: Int?
    /// The parameters of requests that it refuses.
    public var refuses: [String]?
    /// The levels of effort that it knows.
    public var efforts: [String]?
    /// The level of effort that it is asked for.
    public var effort: String?
    /// The row of the catalogue that describes it: `PROVIDER` or `PROVIDER/NAME`.
    public var catalogue: String?

    /// The names of the providers that there are.
    public static let providers = [
      "anthropic", "openai", "azure", "github", "local", "apple", "extractive",
    ]
    /// The wires that a model's endpoint may speak.
    public static let kinds = ["chat", "responses", "image"]

    /// Creates settings that set nothing.
    public init() {}
  }

  /// What one may do with the terminals of hosts.
  public struct TerminalSettings: Sendable, Hashable {
    /// Whether what is typed may be sent to them.
    public var allowsInput = true
    /// Whether looking at them is confirmed by `confirm_command`, too.
    public var confirmsLooking = false

    /// Creates the usual settings.
    public init() {}
  }

  /// Where the terminal of an agent is.
  public struct AgentTerminal: Sendable, Hashable {
    /// The host, as tmux-attach takes it.
    public var host: String
    /// The tmux session there.
    public var session: String

    /// Creates the place.
    public init(host: String, session: String) {
      (self.host, self.session) = (host, session)
    }
  }

  /// The model to use where nothing else names one.
  public var model: String?
  /// A command that prints a secret; `{name}` stands for the secret's name.
  public var keyCommand: [String]?
  /// A command that confirms an action with exit status 0.
  public var confirmCommand: [String]?
  /// Settings by role.
  public var roles: [Role: RoleSettings] = [:]
  /// How often one may steer and decide.
  public var limits = ActionLimits()
  /// What one may do with the terminals of hosts.
  public var terminal = TerminalSettings()
  /// Where the terminals of agents are, by the agents' ids.
  public var agentTerminals: [String: AgentTerminal] = [:]
  /// What GitHub's login needs: `client_id` and `token_exchange_url`.
  public var gitHub: [String: String] = [:]
  /// What `[serve]` sets, as it stands there.
  public var serve: [String: String] = [:]
  /// The URLs of hosts that chats are read on, by the names that they have here.
  public var hosts: [String: String] = [:]
  /// The URLs of hubs, by the names that they have here.
  public var hubs: [String: String] = [:]
  /// Models by name.
  public var models: [String: ModelSettings] = [:]
  /// The models that short names stand for.
  public var aliases: [String: String] = [:]

  /// A configuration that sets nothing.
  public init() {}
}
