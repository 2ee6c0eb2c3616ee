import ArgumentParser
import Catalogue
import Command
import Core
import Providers

struct DefaultModel: Tool {
  static let configuration = verbConfiguration(
    "default", abstract: "Set the model that is asked where nothing names one")

  @Argument(help: "The model's name.", completion: .allModels)
  var name: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    // A name that leads nowhere would be found out by the next prompt.
    _ = try ModelListing(session.models().directory).record(name)
    try session.addedModels.setDefault(name)
    try session.writeModel(name)
  }
}

struct RefreshModels: Tool {
  static let configuration = verbConfiguration(
    "refresh", abstract: "Ask providers which models they have")

  @Argument(
    help: "The providers to ask; those that can be asked.",
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
        // Nobody has named one that there is no key or no server for.
        last = error
        guard !providers.isEmpty || error.code == .storageFailed else {
          session.diagnostics.report("\(provider) was not asked: \(error.explanation)")
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
    "check", abstract: "Ask a model for one word, which costs a little")

  @Argument(help: "The model's name.", completion: .allModels)
  var name: String
  @OptionGroup var limits: RequestOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let models = try session.models(limits)
    let choice = try models.directory.choose(name)
    var request = ModelRequest(system: "", turns: [.init(role: "user", text: "Say: ok")])
    // Models that think need some room before they say anything.
    request.maximumOutputTokens = 2048
    request.effort = choice.facts.takes(effort: "low") == true ? "low" : nil
    let outcome = await models.client.answer(request, choice: choice) { _ in }
    if let failure = outcome.failure { throw failure }
    try session.writeModel(name)
  }
}

extension Session {
  /// The models that can be asked.
  func models(_ limits: RequestOptions? = nil) throws(Failure) -> ModelAccess {
    let configuration = try configuration()
    return ModelAccess(
      configuration, directories, keys: keys(configuration), environment: environment,
      timeouts: limits?.timeouts ?? (nil, nil, nil), retries: limits?.retries)
  }

  /// Writes the record of a model as it stands now.
  func writeModel(_ name: String) throws(Failure) {
    try write([try ModelListing(models().directory).record(name)])
  }
}
