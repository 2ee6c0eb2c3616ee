import ArgumentParser
import Catalogue
import Command
import Core
import Providers

struct DefaultModel: Tool {
  static let configuration = verbConfiguration(
    "default", abstract: "Set the default model")

  @Argument(help: "The model's name.", completion: .allModels)
  var name: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    // Without this check, an unknown name would fail only at the next prompt.
    _ = try ModelListing(session.models().directory).record(name)
    try session.addedModels.setDefault(name)
    try session.writeModel(name)
  }
}

struct RefreshModels: Tool {
  static let configuration = verbConfiguration(
    "refresh", abstract: "Download the model lists of providers")

  @Argument(
    help: "The providers; all with a key, and local, by default.",
    completion: .list(ProviderModels.providers))
  var providers: [String] = []
  @OptionGroup var limits: RequestOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let asked = ProviderModels(try session.models(limits).directory)
    var last: Failure?
    var hasAnswer = false
    for provider in providers.isEmpty ? asked.current : providers {
      do throws(Failure) {
        let models = try await asked.models(of: provider)
        try ListedModels(session.directories).replace(provider, by: models)
        hasAnswer = true
        let listing = ModelListing(try session.models().directory)
        try session.write(models.map { listing.completed($0) })
      } catch {
        // A provider that the user did not name may lack a key or a server.
        last = error
        guard !providers.isEmpty || error.code == .storageFailed else {
          session.diagnostics.report("skipped \(provider): \(error.sentence)")
          continue
        }
        try session.goOn(after: error)
      }
    }
    if !hasAnswer, providers.isEmpty, let last { throw last }
  }
}

struct CheckModel: Tool {
  static let configuration = verbConfiguration(
    "check", abstract: "Test a model with a short request, which costs a little")

  @Argument(help: "The model's name.", completion: .allModels)
  var name: String
  @OptionGroup var limits: RequestOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let models = try session.models(limits)
    let choice = try models.directory.choose(name)
    var request = ModelRequest(system: "", turns: [.init(role: "user", text: "Say: ok")])
    // Reasoning models need some tokens before they answer.
    request.maximumOutputTokens = 2048
    request.effort = choice.facts.accepts(effort: "low") == true ? "low" : nil
    let outcome = await models.client.answer(request, choice: choice) { _ in }
    if let failure = outcome.failure { throw failure }
    try session.writeModel(name)
  }
}

extension Session {
  /// Returns access to the configured models.
  func models(_ limits: RequestOptions? = nil) throws(Failure) -> ModelAccess {
    let configuration = try configuration()
    return ModelAccess(
      configuration, directories, keys: keys(configuration), environment: environment,
      timeouts: limits?.timeouts ?? (nil, nil, nil), retries: limits?.retries)
  }

  /// Writes the current record of the model with the given name.
  func writeModel(_ name: String) throws(Failure) {
    try write([try ModelListing(models().directory).record(name)])
  }
}
