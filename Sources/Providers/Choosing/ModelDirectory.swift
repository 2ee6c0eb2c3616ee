public import Keys

public import Core
public import HTTP

/// Chooses models by name, role and key, and makes their providers.
///
/// The order: the flag, `--team`, the record, `AGENTPIPES_MODEL`, the configuration's
/// `roles.ROLE.model`, then its `model`; else one of ``DefaultModels``: Anthropic's where it has a
/// key, then OpenAI's; else `extractive`. Keys are looked up when a choice needs them, once.
public final class ModelDirectory: Sendable {
  let configuration: Settings
  let environment: [String: String]
  let timeouts: HTTPTimeouts
  let client: HTTPClient
  private let trace: (@Sendable (String) -> Void)?
  let prices: PriceTable
  let found: FoundKeys

  /// Creates the directory; nothing is looked up yet.
  ///
  /// - Parameters:
  ///   - configuration: The user's settings.
  ///   - keys: Where keys are looked up.
  ///   - environment: The process's environment.
  ///   - timeouts: The limits of each request.
  ///   - client: What sends requests.
  ///   - trace: Is told what goes over the wire, a line at a time.
  public init(
    configuration: Settings, keys: KeyStore, environment: [String: String],
    timeouts: HTTPTimeouts, client: HTTPClient, trace: (@Sendable (String) -> Void)? = nil
  ) {
    self.trace = trace
    self.configuration = configuration
    self.environment = environment
    self.timeouts = timeouts
    self.client = client
    prices = PriceTable(configuration)
    found = FoundKeys(keys)
  }

  /// Where requests go.
  var endpoints: ModelEndpoints {
    ModelEndpoints(
      configuration: configuration, environment: environment, timeouts: timeouts, client: client,
      trace: trace, key: { [found] (name) throws(Failure) in try found.key(name) },
      login: { [found] in found.login($0, token: $1) })
  }

  /// Chooses the model of a role.
  ///
  /// - Parameters:
  ///   - role: Who is to answer.
  ///   - flag: The model that an option names.
  ///   - team: The roles of a `--team` file.
  ///   - record: The model that the record names.
  /// - Returns: The model, with what is needed to ask it.
  /// - Throws: `NotFound` for a name that is not known, `MissingAPIKey`, `BadConfiguration`, and what
  ///   looking a key up throws.
  public func choose(
    role: Role, flag: String?, team: [Role: Settings.RoleSettings], record: String?
  ) throws(Failure) -> ModelChoice {
    let named = [
      flag, team[role]?.model, record, environment["AGENTPIPES_MODEL"],
      configuration.roles[role]?.model, configuration.model,
    ]
    let text: String
    if let named = named.lazy.compactMap(\.self).first(where: { !$0.isEmpty }) {
      text = named
    } else {
      text = try defaultName(role)
    }
    return try choice(try ModelName(text, models: configuration.models))
  }

  private func defaultName(_ role: Role) throws(Failure) -> String {
    for provider in DefaultModels.asked where try found.key(provider.rawValue) != nil {
      if let name = DefaultModels.name(provider, role: role) { return name }
    }
    return ExtractiveProvider.modelName
  }

  /// Chooses a model by its name.
  ///
  /// - Parameter name: `provider/name` or a bare name; nil for the one that the environment or the
  ///   configuration names, else the default.
  /// - Returns: The model, with what is needed to ask it.
  /// - Throws: As ``choose(role:flag:team:record:)``.
  public func choose(_ name: String?) throws(Failure) -> ModelChoice {
    try choose(role: Self.anyRole, flag: name, team: [:], record: nil)
  }

  /// Nobody's role: nothing is set for it.
  private static let anyRole = Role(rawValue: "")

  private func choice(_ model: ModelName) throws(Failure) -> ModelChoice {
    var choice = ModelChoice(
      name: shownName(model), model: model.name, provider: try provider(model),
      price: try prices.price(model))
    choice.contextTokens = endpoints.settings(model)?.contextTokens
    return choice
  }

  /// The bare name where it resolves to the same model, so that a record leads back to it.
  private func shownName(_ model: ModelName) -> String {
    let again = try? ModelName(model.name, models: configuration.models)
    return again == model ? model.name : "\(model.provider.rawValue)/\(model.name)"
  }

  private func provider(_ model: ModelName) throws(Failure) -> any Provider {
    switch model.provider {
    case .extractive: return ExtractiveProvider()
    case .apple: throw Self.unavailable(model)
    case .anthropic:
      try check(model, speaks: ["chat"])
      let (base, key) = try endpoints.anthropic(model)
      return AnthropicProvider(
        base: base, key: key, timeouts: timeouts, client: client, trace: trace)
    case .openai, .azure, .github, .local:
      try check(model, speaks: ["chat", "responses"])
      let endpoint = try endpoints.openAI(model)
      return endpoints.settings(model)?.kind == "responses"
        ? ResponsesProvider(endpoint) : ChatCompletionsProvider(endpoint)
    }
  }

  private func check(_ model: ModelName, speaks kinds: [String]) throws(Failure) {
    guard let kind = endpoints.settings(model)?.kind, !kinds.contains(kind) else { return }
    let known = kinds.map { "'\($0)'" }.joined(separator: " and ")
    throw Failure(
      .badConfiguration,
      "'models.\(model.configured ?? model.name).kind' is '\(kind)': \(known) "
        + (kinds.count > 1 ? "are" : "is") + " answered here", input: model.name)
  }

  /// Why a model of Apple's devices cannot be asked.
  static let appleReason = "this platform has no on-device models of Apple's"

  private static func unavailable(_ model: ModelName) -> Failure {
    Failure(
      .notFound, "'\(model.provider.rawValue)/\(model.name)' cannot be asked: \(appleReason)",
      kind: .unavailable, input: model.name)
  }
}
