import Core
import Foundation
import HTTP
import Keys

/// Where each provider's requests go, and with what; one place for chats, images and lists of models.
struct ModelEndpoints: Sendable {
  /// Where Ollama listens unless told otherwise.
  private static let usualLocalBase = "http://127.0.0.1:11434/v1"
  /// GitHub Models' inference, as docs.github.com/rest/models/inference has it.
  private static let gitHubBase = "https://models.github.ai/inference"

  let configuration: Settings
  let environment: [String: String]
  let timeouts: HTTPTimeouts
  let client: HTTPClient
  /// Is told what goes over the wire.
  let trace: (@Sendable (String) -> Void)?
  /// Looks a key up.
  var key: @Sendable (String) throws(Failure) -> String?
  /// Tells what is known of a key that a login gave.
  let login: @Sendable (_ name: String, _ token: String) -> LoginNote?

  /// `true` if the server of a model is one that the user configured for it, or for its provider.
  func isConfigured(_ model: ModelName) -> Bool {
    let variables: [ModelName.ProviderName: String] = [.github: "GITHUB_MODELS_BASE_URL"]
    return endpoint(model) != nil || variables[model.provider].flatMap(variable) != nil
  }

  /// What the configuration says of a model.
  func settings(_ model: ModelName) -> Settings.ModelSettings? {
    model.configured.flatMap { configuration.models[$0] }
  }

  /// Anthropic's base URL and key.
  func anthropic(_ model: ModelName) throws(Failure) -> (base: String, key: String?) {
    let own = endpoint(model)
    let base = own ?? variable("ANTHROPIC_BASE_URL") ?? AnthropicProvider.defaultBase
    return (base, try key(of: model, base: base, isConfigured: own != nil))
  }

  /// A server of OpenAI's interfaces.
  ///
  /// - Throws: `MissingAPIKey`, `BadConfiguration` for an Azure resource that is not named, and what
  ///   looking a key up throws.
  func openAI(_ model: ModelName) throws(Failure) -> OpenAIEndpoint {
    let own = endpoint(model)
    switch model.provider {
    case .azure: return try azure(model, own)
    case .github:
      return try gitHub(model, own)
    case .local:
      return server(
        own ?? variable("LOCAL_BASE_URL") ?? Self.usualLocalBase, try key(keyName(model)))
    case .openai, .anthropic, .apple, .extractive:
      let base = own ?? variable("OPENAI_BASE_URL") ?? ChatCompletionsProvider.defaultBase
      return server(base, try key(of: model, base: base, isConfigured: own != nil))
    }
  }

  /// GitHub Models; asked with a token that a login gave, or with any other.
  private func gitHub(_ model: ModelName, _ own: String?) throws(Failure) -> OpenAIEndpoint {
    let base = own ?? variable("GITHUB_MODELS_BASE_URL") ?? Self.gitHubBase
    let key = try key(of: model, base: base, isConfigured: own != nil)
    var endpoint = server(
      base, key,
      [
        HTTPField("accept", "application/vnd.github+json"),
        HTTPField("x-github-api-version", "2022-11-28"),
      ])
    endpoint.host = .gitHub
    endpoint.token = key.flatMap { token(of: model, $0) }
    return endpoint
  }

  /// What there is to know of GitHub's tokens that end: those that a login gave, here or elsewhere.
  private func token(of model: ModelName, _ key: String) -> RenewableToken? {
    let note = login(keyName(model), key)
    // What users let apps do: github.blog/engineering/platform-security, April 5, 2021.
    guard note != nil || ["gho_", "ghu_"].contains(where: key.hasPrefix) else { return nil }
    let remedy = "run 'key-store login github'"
    let variable = KeyStore.variable(keyName(model))
    let isThere = environment[variable]?.trimmingCharacters(in: .whitespacesAndNewlines) == key
    return RenewableToken(
      expiresAt: note?.expiresAt,
      remedy: isThere ? "renew it, or unset \(variable) and \(remedy)" : remedy)
  }

  /// Azure's v1 interface, or the dated one where `OPENAI_API_VERSION` or the URL's query names a
  /// version; asked with `api-key`, or as a bearer with the token of `AZURE_OPENAI_AD_TOKEN`.
  private func azure(_ model: ModelName, _ own: String?) throws(Failure) -> OpenAIEndpoint {
    guard let resource = own ?? variable("AZURE_OPENAI_ENDPOINT") else {
      throw Failure(
        .badConfiguration,
        "'\(model.name)' has no endpoint: set AZURE_OPENAI_ENDPOINT, or 'endpoint' under "
          + "'[models.\"\(model.name)\"]'", input: model.name)
    }
    let written = URLComponents(string: resource)?.queryItems?.first { $0.name == "api-version" }
    var base = resource
    // A version may be named to v1 too, as `preview`, and its paths are the same.
    let isV1 = resource.contains("/openai/v1")
    let version = isV1 ? nil : written?.value ?? variable("OPENAI_API_VERSION")
    if !resource.contains("/openai") {
      base = joined(base, version != nil ? "/openai" : "/openai/v1")
    }
    if let version, written == nil { base += "?api-version=\(version)" }
    // A model with a secret of its own is asked with nothing else.
    let token = settings(model)?.key == nil ? variable("AZURE_OPENAI_AD_TOKEN") : nil
    var fields: [HTTPField] = []
    if token == nil, let key = try key(of: model, base: base, isConfigured: false) {
      fields.append(HTTPField("api-key", key))
    }
    var endpoint = server(base, token, fields)
    endpoint.host = .azure(version: version)
    if token != nil {
      endpoint.token = RenewableToken(remedy: "set AZURE_OPENAI_AD_TOKEN to a new one")
    }
    return endpoint
  }

  private func server(
    _ base: String, _ key: String?, _ fields: [HTTPField] = []
  ) -> OpenAIEndpoint {
    var endpoint = OpenAIEndpoint(
      base: base, key: key, fields: fields, timeouts: timeouts, client: client)
    endpoint.trace = trace
    return endpoint
  }

  /// The secret that a model is asked with: that of its provider, unless it has one of its own.
  private func keyName(_ model: ModelName) -> String {
    settings(model)?.key ?? model.provider.rawValue
  }

  /// The endpoint that the configuration gives a model.
  private func endpoint(_ model: ModelName) -> String? {
    settings(model)?.endpoint.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The key of a model's provider, which only a loopback or configured server may go without.
  private func key(
    of model: ModelName, base: String, isConfigured: Bool
  ) throws(Failure) -> String? {
    let name = keyName(model)
    if let key = try key(name) { return key }
    guard !isConfigured, !HostName.isLoopback(URLComponents(string: base)?.host ?? "")
    else { return nil }
    throw Failure(
      .missingAPIKey,
      "'\(model.name)' needs a key of '\(name)': set \(KeyStore.variable(name)) or run "
        + "'key-store set \(name)'", input: model.name)
  }
}
