import Foundation
public import Keys
import Synchronization

public import Core
public import HTTP

/// Chooses models by name, role and key, and makes their providers.
///
/// The order: the flag, `--team`, the record, `AGENTPIPES_MODEL`, the configuration's
/// `roles.ROLE.model`, then its `model`; else a default: where Anthropic has a key,
/// `claude-opus-4-6` for the CEO and `claude-sonnet-4-6` for the others; where OpenAI has one,
/// `gpt-5-mini` for all; else `extractive`. Keys are looked up when a choice needs them, once.
public final class ModelDirectory: Sendable {
  /// The default where OpenAI has a key: small, so that nobody is surprised by its price.
  private static let openAIDefault = "gpt-5-mini"

  private let configuration: Settings
  private let keys: KeyStore
  private let environment: [String: String]
  private let timeouts: HTTPTimeouts
  private let client: HTTPClient
  private let prices: PriceTable
  private let found = Mutex<[String: String?]>([:])

  /// Creates the directory; nothing is looked up yet.
  ///
  /// - Parameters:
  ///   - configuration: The user's settings.
  ///   - keys: Where keys are looked up.
  ///   - environment: The process's environment.
  ///   - timeouts: The limits of each request.
  ///   - client: What sends requests.
  public init(
    configuration: Settings, keys: KeyStore, environment: [String: String],
    timeouts: HTTPTimeouts, client: HTTPClient
  ) {
    self.configuration = configuration
    self.keys = keys
    self.environment = environment
    self.timeouts = timeouts
    self.client = client
    prices = PriceTable(configuration)
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
    if try key("anthropic") != nil {
      return role == .ceo ? "anthropic/claude-opus-4-6" : "anthropic/claude-sonnet-4-6"
    }
    if try key("openai") != nil { return "openai/\(Self.openAIDefault)" }
    return ExtractiveProvider.modelName
  }

  private func choice(_ model: ModelName) throws(Failure) -> ModelChoice {
    var choice = ModelChoice(
      name: shownName(model), model: model.name, provider: try provider(model),
      price: try prices.price(model))
    choice.contextTokens = model.configured.flatMap { configuration.models[$0]?.contextTokens }
    return choice
  }

  /// The bare name where it resolves to the same model, so that a record leads back to it.
  private func shownName(_ model: ModelName) -> String {
    let again = try? ModelName(model.name, models: configuration.models)
    return again == model ? model.name : "\(model.provider.rawValue)/\(model.name)"
  }

  private func provider(_ model: ModelName) throws(Failure) -> any Provider {
    let settings = model.configured.flatMap { configuration.models[$0] }
    if let kind = settings?.kind, kind != "chat" {
      throw Failure(
        .badConfiguration,
        "'models.\(model.configured ?? model.name).kind' is '\(kind)': only "
          + "'chat' is answered here", input: model.name)
    }
    let endpoint = settings?.endpoint.flatMap { $0.isEmpty ? nil : $0 }
    switch model.provider {
    case .extractive: return ExtractiveProvider()
    case .anthropic:
      let base =
        endpoint ?? variable("ANTHROPIC_BASE_URL") ?? AnthropicProvider.defaultBase
      return AnthropicProvider(
        base: base, key: try key(of: model, base: base, isConfigured: endpoint != nil),
        timeouts: timeouts, client: client)
    case .openai:
      let base =
        endpoint ?? variable("OPENAI_BASE_URL") ?? ChatCompletionsProvider.defaultBase
      return ChatCompletionsProvider(
        base: base, key: try key(of: model, base: base, isConfigured: endpoint != nil),
        timeouts: timeouts, client: client)
    case .local:
      guard let endpoint else {
        throw Failure(
          .badConfiguration,
          "'\(model.name)' has no endpoint: set 'endpoint' under '[models.\"\(model.name)\"]'",
          input: model.name)
      }
      return ChatCompletionsProvider(
        base: endpoint, key: try key("local"), timeouts: timeouts, client: client)
    }
  }

  private func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The key of a model's provider, which only a loopback or configured server may go without.
  private func key(
    of model: ModelName, base: String, isConfigured: Bool
  ) throws(Failure) -> String? {
    let name = model.provider.rawValue
    if let key = try key(name) { return key }
    guard !isConfigured, !Self.isLoopback(base) else { return nil }
    throw Failure(
      .missingAPIKey,
      "'\(model.name)' needs a key of '\(name)': set \(KeyStore.variable(name)) or run "
        + "'key-store set \(name)'", input: model.name)
  }

  private func key(_ name: String) throws(Failure) -> String? {
    if let known = found.withLock({ $0[name] }) { return known }
    // Not under the lock: a key command may ask a person. Two that ask at once find the same.
    let secret = try keys.find(name)?.secret
    found.withLock { $0[name] = .some(secret) }
    return secret
  }

  private static func isLoopback(_ base: String) -> Bool {
    guard let host = URLComponents(string: base)?.host?.lowercased() else { return false }
    return ["localhost", "::1", "[::1]"].contains(host)
      || (host.hasPrefix("127.")
        && host.utf8.allSatisfy { $0 == 0x2E || $0.isDigit })
  }
}
