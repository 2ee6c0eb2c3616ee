import Core
import Foundation
import HTTP
import Keys
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

  @Test func `without a key the default is extraction`() throws {
    let choice = try directory().choose(role: .ceo, flag: nil, team: [:], record: nil)
    #expect(choice.name == "extractive")
    #expect(choice.price == .free)
  }

  @Test(arguments: [(Role.ceo, "claude-opus-4-6"), (.researcher, "claude-sonnet-4-6")])
  func `with Anthropic's key the default is the role's`(role: Role, name: String) throws {
    let environment = ["ANTHROPIC_API_KEY": "key-of-tests", "OPENAI_API_KEY": "key-of-tests"]
    let choice = try directory(environment).choose(role: role, flag: nil, team: [:], record: nil)
    #expect(choice.name == name)
    #expect(choice.provider is AnthropicProvider)
  }

  @Test func `with OpenAI's key alone the default is OpenAI's`() throws {
    let choice = try directory(["OPENAI_API_KEY": "key-of-tests"])
      .choose(role: .ceo, flag: nil, team: [:], record: nil)
    #expect(choice.name == "gpt-5-mini")
    #expect(choice.price?.input == 0.25)
  }

  @Test func `a context's size is found under each name that leads to the model`() throws {
    var configuration = Settings()
    configuration.models["openai/gpt-x"] = Settings.ModelSettings()
    configuration.models["openai/gpt-x"]?.contextTokens = 8000
    let choice = try directory(["OPENAI_API_KEY": "key-of-tests"], configuration)
      .choose(role: .ceo, flag: "openai/gpt-x", team: [:], record: nil)
    #expect(choice.contextTokens == 8000)
  }

  @Test func `the flag goes before the team, that before the record, and so on`() throws {
    var configuration = Settings()
    configuration.model = "gpt-6"
    configuration.roles[.producer] = Settings.RoleSettings(model: "gpt-5")
    let names = ["AGENTPIPES_MODEL": "gpt-4"]
    let key = ["OPENAI_API_KEY": "key-of-tests"]
    let team = [Role.producer: Settings.RoleSettings(model: "gpt-2")]
    let all = directory(names.merging(key) { $1 }, configuration)
    let quiet = directory(key, configuration)
    func name(
      _ directory: ModelDirectory, _ role: Role, flag: String? = nil,
      team: [Role: Settings.RoleSettings] = [:], record: String? = nil
    ) throws -> String {
      try directory.choose(role: role, flag: flag, team: team, record: record).name
    }
    #expect(try name(all, .producer, flag: "gpt-1", team: team, record: "gpt-3") == "gpt-1")
    #expect(try name(all, .producer, team: team, record: "gpt-3") == "gpt-2")
    #expect(try name(all, .producer, record: "gpt-3") == "gpt-3")
    #expect(try name(all, .producer) == "gpt-4")
    #expect(try name(quiet, .producer) == "gpt-5")
    #expect(try name(quiet, .researcher) == "gpt-6")
  }

  @Test func `a provider without a key names the variable and the command`() {
    let failure = failure {
      _ = try directory().choose(role: .ceo, flag: "claude-opus-4-6", team: [:], record: nil)
    }
    #expect(failure?.code == .missingAPIKey)
    #expect(failure?.explanation.contains("ANTHROPIC_API_KEY") == true)
    #expect(failure?.explanation.contains("key-store set anthropic") == true)
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
    #expect(choice.price?.cost(of: Usage(inputTokens: 5, outputTokens: 5)) == 0)
    #expect(try ModelName("llama3", models: configuration.models).provider == .local)
  }

  @Test func `a local model without an endpoint is a fault of the configuration`() {
    let failure = failure {
      _ = try directory().choose(role: .ceo, flag: "local/x", team: [:], record: nil)
    }
    #expect(failure?.code == .badConfiguration)
  }

  @Test func `an endpoint without a provider never gets a provider's key by its name`() throws {
    var settings = Settings.ModelSettings()
    settings.endpoint = "http://box.example/v1"
    #expect(try ModelName("gpt-oss", models: ["gpt-oss": settings]).provider == .local)
  }

  @Test(
    arguments: [
      ("claude-x", ModelName.ProviderName.anthropic), ("gpt-x", .openai), ("o3-mini", .openai),
      ("extractive", .extractive), ("openai/anything", .openai), ("anthropic/a/b", .anthropic),
    ])
  func `names tell their provider`(text: String, provider: ModelName.ProviderName) throws {
    #expect(try ModelName(text, models: [:]).provider == provider)
  }

  @Test(arguments: ["", "opus", "o", "openai/", "extractive/gpt", "meta/llama", "/"])
  func `a name that tells nothing is not found, and the known are named`(text: String) {
    let failure = failure { _ = try ModelName(text, models: ["mine": .init()]) }
    #expect(failure?.code == .notFound)
    #expect(failure?.explanation.contains("claude-*") == true)
    #expect(failure?.explanation.contains("mine") == true)
  }
}
