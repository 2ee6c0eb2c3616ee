import Core
import Foundation
import HTTP
import Keys

/// The endpoints and credentials of the providers, for chats, images and model lists.
struct ModelEndpoints: Sendable {
  /// The base URL of an Ollama server with default settings.
  private static let usualLocalBase = "http://127.0.0.1:11434/v1"
  /// The inference endpoint of GitHub Models, from docs.github.com/rest/models/inference.
  private static let gitHubBase = "https://models.github.ai/inference"

  let configuration: Settings
  let environment: [String: String]
  let timeouts: HTTPTimeouts
  let client: HTTPClient
  /// The receiver of the traffic, one line at a time.
  let trace: (@Sendable (String) -> Void)?
  /// A function that returns the key with the given name; nil if there is none.
  var key: @Sendable (String) throws(Failure) -> String?
  /// A function that returns the note that a login stored about the given token; nil if there is
  /// none.
  let login: @Sendable (_ name: String, _ token: String) -> LoginNote?

  /// Returns `true` if the user configured a server for the given model or for its provider.
  func isConfigured(_ model: ModelName) -> Bool {
    let variables: [ModelName.ProviderName: String] = [.github: "GITHUB_MODELS_BASE_URL"]
    return endpoint(model) != nil || variables[model.provider].flatMap(variable) != nil
  }

  /// Returns the user's configuration of the given model.
  func settings(_ model: ModelName) -> Settings.ModelSettings? {
    model.configured.flatMap { configuration.models[$0] }
  }

  /// Returns the base URL and the key for the given model at Anthropic.
  func anthropic(_ model: ModelName) throws(Failure) -> (base: String, key: String?) {
    let own = endpoint(model)
    let base = own ?? variable("ANTHROPIC_BASE_URL") ?? AnthropicProvider.defaultBase
    return (base, try key(of: model, base: base, isConfigured: own != nil))
  }

  /// Returns the server for the given model, for a provider that offers OpenAI's APIs.
  ///
  /// - Throws: `MissingAPIKey` if there is no key; `BadConfiguration` if the Azure resource is not
  ///   configured; the errors of looking up a key.
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

  /// Returns the endpoint of GitHub Models for the given model.
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

  /// Returns the expiry and renewal of the given GitHub token; nil if it does not come from a
  /// login.
  private func token(of model: ModelName, _ key: String) -> RenewableToken? {
    let note = login(keyName(model), key)
    // The prefixes of user tokens: github.blog/engineering/platform-security, April 5, 2021.
    guard note != nil || ["gho_", "ghu_"].contains(where: key.hasPrefix) else { return nil }
    let remedy = "run 'key-store login github'"
    let variable = KeyStore.variable(keyName(model))
    let isThere = environment[variable]?.trimmingCharacters(in: .whitespacesAndNewlines) == key
    return RenewableToken(
      expiresAt: note?.expiresAt,
      remedy: isThere ? "renew it, or unset \(variable) and \(remedy)" : remedy)
  }

  /// Returns the endpoint of Azure's v1 API, or of a dated API if `OPENAI_API_VERSION` or the URL
  /// names a version.
  ///
  /// The credential is the token in `AZURE_OPENAI_AD_TOKEN`. Without a token, it is a key, sent in
  /// the field `api-key`.
  private func azure(_ model: ModelName, _ own: String?) throws(Failure) -> OpenAIEndpoint {
    guard let resource = own ?? variable("AZURE_OPENAI_ENDPOINT") else {
      throw Failure(
        .badConfiguration,
        "'\(model.name)' has no endpoint", input: model.name,
        nextStep:
          "set AZURE_OPENAI_ENDPOINT, or 'endpoint' under '[models.\"\(model.name)\"]'")
    }
    let written = URLComponents(string: resource)?.queryItems?.first { $0.name == "api-version" }
    var base = resource
    // The URL of the v1 API may also name a version, such as `preview`; its paths are the same.
    let isV1 = resource.contains("/openai/v1")
    let version = isV1 ? nil : written?.value ?? variable("OPENAI_API_VERSION")
    if !resource.contains("/openai") {
      base = joined(base, version != nil ? "/openai" : "/openai/v1")
    }
    if let version, written == nil { base += "?api-version=\(version)" }
    // A model with its own secret uses only that one.
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

  /// Returns the name of the secret for the given model: the model's own, or its provider's.
  private func keyName(_ model: ModelName) -> String {
    settings(model)?.key ?? model.provider.rawValue
  }

  /// Returns the endpoint that the configuration sets for the given model.
  private func endpoint(_ model: ModelName) -> String? {
    settings(model)?.endpoint.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the key for the given model.
  ///
  /// It is nil only if the server is configured or on a loopback address.
  private func key(
    of model: ModelName, base: String, isConfigured: Bool
  ) throws(Failure) -> String? {
    let name = keyName(model)
    if let key = try key(name) { return key }
    guard !isConfigured, !HostName.isLoopback(URLComponents(string: base)?.host ?? "")
    else { return nil }
    throw Failure(
      .missingAPIKey,
      "'\(model.name)' needs a key of '\(name)'", input: model.name,
      nextStep: "set \(KeyStore.variable(name)) or run 'key-store set \(name)'")
  }
}
