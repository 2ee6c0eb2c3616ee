public import Catalogue
public import Core
public import HTTP
public import Keys

/// A directory that chooses models by name, role and key, and creates their providers.
///
/// The first of these sources that names a model decides: the option, `--team`, the record,
/// `AGENTPIPES_MODEL`, the configuration's `roles.ROLE.model`, the configuration's `model`, the
/// plan. Without any, the catalogue's default for Anthropic is used if there is a key, then the one
/// for OpenAI, then `extractive`. Each key is looked up once, when it is first needed.
public final class ModelDirectory: Sendable {
  let configuration: Settings
  let environment: [String: String]
  let timeouts: HTTPTimeouts
  let client: HTTPClient
  private let trace: (@Sendable (String) -> Void)?
  let report: NoticeHandler
  /// The catalogue of models.
  public let catalogue: Catalogue
  let found: FoundKeys
  /// The providers that are tried in this order if no model is named.
  ///
  /// The first one with a key is used.
  private static let asked: [ModelName.ProviderName] = [.anthropic, .openai]

  /// Creates the directory without looking up keys.
  ///
  /// - Parameters:
  ///   - configuration: The user's settings.
  ///   - catalogue: The catalogue of models.
  ///   - keys: The store of keys.
  ///   - environment: The process's environment.
  ///   - timeouts: The limits of each request.
  ///   - client: The client that sends requests.
  ///   - trace: Receives the traffic, one line at a time.
  public init(
    configuration: Settings, catalogue: Catalogue = .builtIn, keys: KeyStore,
    environment: [String: String], timeouts: HTTPTimeouts, client: HTTPClient,
    trace: (@Sendable (String) -> Void)? = nil
  ) {
    self.trace = trace
    self.configuration = configuration
    self.environment = environment
    self.timeouts = timeouts
    self.client = client
    self.catalogue = catalogue
    report = keys.report
    found = FoundKeys(keys)
  }

  /// The endpoints and credentials of the directory's providers.
  var endpoints: ModelEndpoints {
    ModelEndpoints(
      configuration: configuration, environment: environment, timeouts: timeouts, client: client,
      trace: trace, key: { [found] (name) throws(Failure) in try found.key(name) },
      login: { [found] in found.login($0, token: $1) })
  }

  /// Chooses the model of a role.
  ///
  /// - Parameters:
  ///   - role: The role that needs a model.
  ///   - flag: The model named by an option.
  ///   - team: The roles of a `--team` file.
  ///   - record: The model named in the record.
  ///   - plan: The model that the user named for the record's plan.
  /// - Returns: The chosen model.
  /// - Throws: `NotFound` if the name is unknown or the model is retired; `MissingAPIKey` if there
  ///   is no key; `BadConfiguration` if the model's configuration is invalid; the errors of looking
  ///   up a key.
  public func choose(
    role: Role, flag: String?, team: [Role: Settings.RoleSettings], record: String?,
    plan: String? = nil
  ) throws(Failure) -> ModelChoice {
    let named = [
      flag, team[role]?.model, record, environment["AGENTPIPES_MODEL"],
      configuration.roles[role]?.model, configuration.model, plan,
    ]
    guard let text = named.lazy.compactMap(\.self).first(where: { !$0.isEmpty }) else {
      var usual = try choice(try name(try defaultName(role)))
      usual.isNamed = false
      return usual
    }
    return try choice(try name(text))
  }

  /// Resolves the given name of a model.
  ///
  /// - Throws: As ``ModelName``.
  func name(_ text: String) throws(Failure) -> ModelName {
    try ModelName(text, configuration, catalogue: catalogue)
  }

  private func defaultName(_ role: Role) throws(Failure) -> String {
    for provider in Self.asked where try found.key(provider.rawValue) != nil {
      if let name = catalogue.defaultModel(of: provider.rawValue, role: role) {
        return "\(provider.rawValue)/\(name)"
      }
    }
    return ExtractiveProvider.modelName
  }

  /// Chooses the model with the given name.
  ///
  /// - Parameter name: `provider/name` or a bare name. If nil, the environment or the configuration
  ///   names the model; otherwise the default is used.
  /// - Returns: The chosen model.
  /// - Throws: As ``choose(role:flag:team:record:)``.
  public func choose(_ name: String?) throws(Failure) -> ModelChoice {
    try choose(role: Self.anyRole, flag: name, team: [:], record: nil)
  }

  /// A role for which the configuration has no settings.
  private static let anyRole = Role(rawValue: "")

  private func choice(_ model: ModelName) throws(Failure) -> ModelChoice {
    let facts = self.facts(model)
    try checkLife(model, facts)
    var choice = ModelChoice(
      name: shownName(model), model: model.name, provider: try provider(model, facts),
      facts: facts)
    choice.effort = endpoints.settings(model)?.effort
    choice.base = base(model)
    (choice.catalogue, choice.report) = (catalogue, report)
    return choice
  }

  /// Returns the facts about the given model on the given day.
  ///
  /// The user's configuration may set prices.
  func facts(_ model: ModelName, on day: Day = .today) -> ModelFacts {
    guard model.provider != .extractive else {
      var facts = catalogue.facts(model.provider.rawValue, model.name, on: day)
      facts.prices = .free
      return facts
    }
    return catalogue.facts(
      model.provider.rawValue, model.name, on: day, settings: endpoints.settings(model))
  }

  /// Rejects a retired model.
  ///
  /// Reports, only once, a model that retires within 60 days.
  func checkLife(_ model: ModelName, _ facts: ModelFacts) throws(Failure) {
    try refuseRetired(model, facts)
    guard let retires = facts.retires, endpoints.settings(model)?.endpoint == nil,
      facts.daysLeft(on: .today) != nil
    else { return }
    let next = facts.replacement.map { "; its replacement is '\($0)'" } ?? ""
    report(.once("'\(model.name)' will be retired on \(retires)\(next)"))
  }

  /// Rejects a retired model.
  ///
  /// - Throws: `NotFound` of kind `retired` if the model or its service has ended.
  func refuseRetired(_ model: ModelName, _ facts: ModelFacts) throws(Failure) {
    let today = Day.today
    if !endpoints.isConfigured(model),
      let service = catalogue.endedService(model.provider.rawValue, on: today)
    {
      throw Failure(
        .notFound,
        "\(service.title) was shut down on \(service.ended)",
        kind: .retired, input: model.name, nextStep: "use another model or an endpoint")
    }
    guard let retires = facts.retires, endpoints.settings(model)?.endpoint == nil else { return }
    let next = facts.replacement.map { "; its replacement is '\($0)'" } ?? ""
    guard today < retires else {
      throw Failure(
        .notFound, "'\(model.name)' was retired on \(retires)\(next)", kind: .retired,
        input: model.name)
    }
  }

  /// Returns the base URL of the given model's server, without secrets; nil for a model without a
  /// server.
  func base(_ model: ModelName) -> String? {
    var endpoints = endpoints
    endpoints.key = { _ in "-" }
    switch model.provider {
    case .extractive, .apple: return nil
    case .anthropic: return (try? endpoints.anthropic(model)).map { Failure.shownURL($0.base) }
    case .openai, .azure, .github, .local:
      return (try? endpoints.openAI(model)).map { Failure.shownURL($0.base) }
    }
  }

  /// Returns the model's bare name if it resolves to the same model; otherwise `provider/name`.
  private func shownName(_ model: ModelName) -> String {
    let again = try? name(model.name)
    return again == model ? model.name : "\(model.provider.rawValue)/\(model.name)"
  }

  private func provider(
    _ model: ModelName, _ facts: ModelFacts
  ) throws(Failure) -> any Provider {
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
      let kind = endpoints.settings(model)?.kind
      let usesResponses = model.provider == .openai && facts.usesResponses
      let responses = ResponsesProvider(
        endpoint, reasons: facts.thinking.map { $0 != .off } ?? !facts.isKnown)
      if kind == "responses" || (kind == nil && usesResponses) { return responses }
      let chat = ChatCompletionsProvider(
        endpoint, refusesMaxTokens: facts.refuses.contains("max_tokens"))
      let hasBoth = model.provider == .openai && kind == nil
      return hasBoth && facts.accepts(.chatTools) == false
        ? ToolsOverResponses(usual: chat, withTools: responses) : chat
    }
  }

  private func check(_ model: ModelName, speaks kinds: [String]) throws(Failure) {
    guard let kind = endpoints.settings(model)?.kind else { return try checkKind(model, kinds) }
    guard !kinds.contains(kind) else { return }
    let known = kinds.map { "'\($0)'" }.joined(separator: " and ")
    throw Failure(
      .badConfiguration,
      "'models.\(model.configured ?? model.name).kind' is '\(kind)': \(known) "
        + (kinds.count > 1 ? "are" : "is") + " answered before", input: model.name)
  }

  /// Rejects the given model if the catalogue lists it under a kind that is not in `kinds`.
  private func checkKind(_ model: ModelName, _ kinds: [String]) throws(Failure) {
    guard let kind = facts(model).kind, !kinds.contains(kind) else { return }
    throw Failure(
      .notFound, "'\(model.name)' is not a chat model but of kind '\(Visible.line(kind))'",
      kind: .unavailable, input: model.name)
  }

  /// The reason why Apple's on-device models are not available.
  static let appleReason = "this platform has no Apple on-device models"

  private static func unavailable(_ model: ModelName) -> Failure {
    Failure(
      .notFound, "cannot use '\(model.provider.rawValue)/\(model.name)': \(appleReason)",
      kind: .unavailable, input: model.name)
  }
}
