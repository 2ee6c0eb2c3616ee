import Catalogue
import Core
import Foundation
import HTTP
import Keys
import TestSupport
import Testing

@testable import Providers

struct ModelDirectoryTests {
  private func directory(
    _ environment: [String: String] = [:], _ configuration: Settings = Settings()
  ) -> ModelDirectory {
    let home = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    let environment = environment.merging(["AGENTPIPES_HOME": home]) { given, _ in given }
    return ModelDirectory(
      configuration: configuration,
      keys: KeyStore(
        directories: Directories(environment: environment), environment: environment, command: nil),
      environment: environment, timeouts: HTTPTimeouts(), client: HTTPClient())
  }

  private func failure(_ work: () throws -> Void) -> Failure? {
    do {
      try work()
      return nil
    } catch {
      return error as? Failure
    }
  }

  @Test func `the configuration knows the names of all providers`() {
    #expect(ModelName.ProviderName.allCases.map(\.rawValue) == Settings.ModelSettings.providers)
  }

  @Test func `without a key the default is extraction`() throws {
    let choice = try directory().choose(role: .ceo, flag: nil, team: [:], record: nil)
    #expect(choice.name == "extractive")
    #expect(choice.isFree)
  }

  @Test(arguments: [(Role.ceo, "claude-opus-5-5"), (.researcher, "claude-sonnet-5-5")])
  func `with Anthropic's key the default is the role's`(role: Role, name: String) throws {
    let environment = ["ANTHROPIC_API_KEY": "key-of-tests", "OPENAI_API_KEY": "key-of-tests"]
    let choice = try directory(environment).choose(role: role, flag: nil, team: [:], record: nil)
    #expect(choice.name == name)
    #expect(choice.provider is AnthropicProvider)
  }

  @Test func `with OpenAI's key alone the default is OpenAI's`() throws {
    let choice = try directory(["OPENAI_API_KEY": "key-of-tests"])
      .choose(role: .ceo, flag: nil, team: [:], record: nil)
    #expect(choice.name == "gpt-6.1-terra")
    #expect(choice.provider is ResponsesProvider)
    #expect(choice.hasKnownPrice)
  }

  @Test func `a context's size is found under each name that leads to the model`() throws {
    var configuration = Settings()
    configuration.models["openai/gpt-x"] = Settings.ModelSettings()
    configuration.models["openai/gpt-x"]?.contextTokens = 8000
    let choice = try directory(["OPENAI_API_KEY": "key-of-tests"], configuration)
      .choose(role: .ceo, flag: "openai/gpt-x", team: [:], record: nil)
    #expect(choice.facts.contextTokens == 8000)
  }

  @Test func `the flag goes before the team, that before the record, and so on`() throws {
    var configuration = Settings()
    configuration.model = "gpt-x6"
    configuration.roles[.producer] = Settings.RoleSettings(model: "gpt-x5")
    let names = ["AGENTPIPES_MODEL": "gpt-x4"]
    let key = ["OPENAI_API_KEY": "key-of-tests"]
    let team = [Role.producer: Settings.RoleSettings(model: "gpt-x2")]
    let all = directory(names.merging(key) { $1 }, configuration)
    let quiet = directory(key, configuration)
    func name(
      _ directory: ModelDirectory, _ role: Role, flag: String? = nil,
      team: [Role: Settings.RoleSettings] = [:], record: String? = nil
    ) throws -> String {
      try directory.choose(role: role, flag: flag, team: team, record: record).name
    }
    #expect(try name(all, .producer, flag: "gpt-x1", team: team, record: "gpt-x3") == "gpt-x1")
    #expect(try name(all, .producer, team: team, record: "gpt-x3") == "gpt-x2")
    #expect(try name(all, .producer, record: "gpt-x3") == "gpt-x3")
    #expect(try name(all, .producer) == "gpt-x4")
    #expect(try name(quiet, .producer) == "gpt-x5")
    #expect(try name(quiet, .researcher) == "gpt-x6")
  }

  @Test func `a provider without a key names the variable and the command`() {
    let failure = failure {
      _ = try directory().choose(role: .ceo, flag: "claude-opus-4-6", team: [:], record: nil)
    }
    #expect(failure?.code == .missingAPIKey)
    #expect(failure?.nextStep?.contains("ANTHROPIC_API_KEY") == true)
    #expect(failure?.nextStep?.contains("key-store set anthropic") == true)
  }

  @Test func `a loopback server needs no key`() throws {
    let directory = directory(["ANTHROPIC_BASE_URL": "http://127.0.0.1:9"])
    let choice = try directory.choose(role: .ceo, flag: "claude-x", team: [:], record: nil)
    #expect(choice.name == "claude-x")
    #expect(
      try directory.choose(role: .ceo, flag: nil, team: [:], record: nil).name == "extractive")
  }

  @Test func `a host that only looks like loopback needs one`() {
    let directory = directory(["ANTHROPIC_BASE_URL": "http://127.0.0.1.example.org"])
    let failure = failure {
      _ = try directory.choose(role: .ceo, flag: "claude-x", team: [:], record: nil)
    }
    #expect(failure?.code == .missingAPIKey)
  }

  @Test func `a described model is asked at its endpoint, and its name leads back to it`() throws {
    var configuration = Settings()
    var settings = Settings.ModelSettings()
    settings.provider = "local"
    settings.endpoint = "http://box.example:8080/v1"
    settings.inputPricePerMillion = 0
    settings.outputPricePerMillion = 0
    configuration.models["llama3"] = settings
    let choice = try directory([:], configuration)
      .choose(role: .ceo, flag: "local/llama3", team: [:], record: nil)
    #expect(choice.name == "llama3")
    #expect(choice.prices?.cost(of: Usage(inputTokens: 5, outputTokens: 5), on: .today) == 0)
    #expect(try ModelName("llama3", configuration).provider == .local)
  }

  @Test func `a local model without an endpoint is asked for where Ollama listens`() throws {
    #expect(try base("local/x") == "http://127.0.0.1:11434/v1")
    #expect(
      try base("local/x", ["LOCAL_BASE_URL": "http://127.0.0.1:8080/v1"])
        == "http://127.0.0.1:8080/v1")
  }

  /// Where a model of OpenAI's interfaces is asked, and the fields that go along.
  private func endpoint(
    _ name: String, _ environment: [String: String], _ configuration: Settings = Settings()
  ) throws(Failure) -> OpenAIEndpoint {
    try directory(environment, configuration).endpoints.openAI(
      try ModelName(name, configuration))
  }

  private func base(_ name: String, _ environment: [String: String] = [:]) throws -> String {
    try endpoint(name, environment).base
  }

  private func fields(_ endpoint: OpenAIEndpoint) -> [String] {
    endpoint.fields.map { "\($0.name): \($0.value)" }
  }

  @Test func `Azure is asked by resource, and by deployment where a version is named`() throws {
    let key = "key-of-azure-0123456789"
    var environment = [
      "AZURE_OPENAI_API_KEY": key, "AZURE_OPENAI_ENDPOINT": "https://r.openai.azure.com/",
    ]
    let current = try endpoint("azure/gpt-4o", environment)
    #expect(current.base == "https://r.openai.azure.com/openai/v1")
    #expect(fields(current) == ["api-key: \(key)"])
    let body = WireText(["a": 1])
    #expect(
      current.request("/responses", model: "gpt-4o", body).url
        == "https://r.openai.azure.com/openai/v1/responses")
    environment["OPENAI_API_VERSION"] = "2024-12-01-preview"
    let dated = try endpoint("azure/my gpt", environment)
    #expect(
      dated.request("/chat/completions", model: "my gpt", body).url
        == "https://r.openai.azure.com/openai/deployments/my%20gpt/chat/completions"
        + "?api-version=2024-12-01-preview")
    environment["AZURE_OPENAI_AD_TOKEN"] = "token-of-entra-0123456789"
    #expect(
      fields(try endpoint("azure/x", environment)) == [
        "authorization: Bearer token-of-entra-0123456789"
      ])
    #expect(failure { _ = try endpoint("azure/x", [:]) }?.code == .badConfiguration)
  }

  @Test(arguments: [
    ("https://r.example/openai/v1/", "/openai/v1/responses", "/openai/v1/chat/completions"),
    (
      "https://r.example/openai/v1?api-version=preview", "/openai/v1/responses?api-version=preview",
      "/openai/v1/chat/completions?api-version=preview"
    ),
    (
      "https://r.example", "/openai/responses?api-version=2024-06-01",
      "/openai/deployments/d/chat/completions?api-version=2024-06-01"
    ),
    (
      "https://r.example/openai?api-version=2025-01-01-preview",
      "/openai/responses?api-version=2025-01-01-preview",
      "/openai/deployments/d/chat/completions?api-version=2025-01-01-preview"
    ),
  ])
  func `Azure's version decides where the deployment is named`(
    resource: String, responses: String, chat: String
  ) throws {
    let asked = try endpoint(
      "azure/d",
      [
        "AZURE_OPENAI_API_KEY": "key-of-azure-0123456789", "AZURE_OPENAI_ENDPOINT": resource,
        "OPENAI_API_VERSION": "2024-06-01",
      ])
    for (path, expected) in [("/responses", responses), ("/chat/completions", chat)] {
      #expect(
        asked.request(path, model: "d", WireText(["a": 1])).url == "https://r.example" + expected)
    }
    #expect(asked.namesCompletionTokens == !chat.contains("2024-06-01"))
  }

  @Test(arguments: [
    ("ghp_0123456789abcdef", false), ("ghu_0123456789abcdef", true),
    ("gho_0123456789abcdef", true),
  ])
  func `tokens that a login at GitHub gives are known by how they begin`(
    key: String, isRenewable: Bool
  ) throws {
    let token = try endpoint("github/openai/gpt-4.1", ["GITHUB_TOKEN": key]).token
    #expect((token != nil) == isRenewable)
    if let token { #expect(token.remedy.contains("unset GITHUB_TOKEN")) }
  }

  @Test func `GitHub Models are asked as its interface wants it`() throws {
    let asked = try endpoint("github/openai/gpt-4.1", ["GITHUB_TOKEN": "ghp_0123456789abcdef"])
    let request = asked.request("/chat/completions", model: "openai/gpt-4.1", WireText(["a": 1]))
    #expect(request.url == "https://models.github.ai/inference/chat/completions")
    #expect(
      request.fields.map { "\($0.name): \($0.value)" } == [
        "content-type: application/json", "accept: application/vnd.github+json",
        "x-github-api-version: 2022-11-28", "authorization: Bearer ghp_0123456789abcdef",
      ])
    #expect(try ModelName("github/openai/gpt-4.1").name == "openai/gpt-4.1")
  }

  @Test func `a model of Apple's devices is told to be unavailable`() {
    let failure = failure {
      _ = try directory().choose("apple/foundation")
    }
    #expect(failure?.code == .notFound)
    #expect(failure?.kind == "unavailable")
  }

  @Test func `an endpoint without a provider never gets a provider's key by its name`() throws {
    var settings = Settings.ModelSettings()
    settings.endpoint = "http://box.example/v1"
    var configuration = Settings()
    configuration.models["gpt-oss"] = settings
    #expect(try ModelName("gpt-oss", configuration).provider == .local)
  }

  @Test(
    arguments: [
      ("claude-x", ModelName.ProviderName.anthropic), ("gpt-x", .openai), ("o3-mini", .openai),
      ("extractive", .extractive), ("openai/anything", .openai), ("anthropic/a/b", .anthropic),
    ])
  func `names tell their provider`(text: String, provider: ModelName.ProviderName) throws {
    #expect(try ModelName(text).provider == provider)
  }

  @Test func `a short name is exact, and a person's own goes before those built in`() throws {
    var configuration = Settings()
    configuration.aliases = ["fast": "claude-x", "sonnet": "gpt-x"]
    #expect(try ModelName("fast", configuration).name == "claude-x")
    #expect(try ModelName("sonnet", configuration).name == "gpt-x")
    #expect(try ModelName("sonnet").provider == .anthropic)
    #expect(failure { _ = try ModelName("sonne", configuration) }?.code == .notFound)
    #expect(failure { _ = try ModelName("Sonnet", configuration) }?.code == .notFound)
  }

  @Test(arguments: ["", "opus-9", "o", "openai/", "extractive/gpt", "meta/llama", "/"])
  func `a name that tells nothing is not found, and the known are named`(text: String) {
    var configuration = Settings()
    configuration.models["mine"] = Settings.ModelSettings()
    let failure = failure { _ = try ModelName(text, configuration) }
    #expect(failure?.code == .notFound)
    #expect(failure?.explanation.contains("claude-*") == true)
    #expect(failure?.explanation.contains("mine") == true)
  }
}
