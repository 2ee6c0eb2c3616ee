import ArgumentParser
import Catalogue
import Command
import Core
import Providers

struct AliasModel: Tool {
  static let configuration = verbConfiguration("alias", abstract: "Give a model a short name")

  @Argument(help: "The short name.")
  var name: String
  @Argument(help: "The model.", completion: .allModels)
  var model: String?
  @Flag(help: "Remove the short name.")
  var remove = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard remove == (model == nil) else {
      throw ValidationError("Name a model, or use --remove.")
    }
  }

  func run(_ session: Session) throws(Failure) {
    guard let model else {
      try session.addedModels.removeAlias(name)
      if session.isOnTerminal { session.diagnostics.report("removed: \(name)") }
      return
    }
    let directory = try session.models().directory
    try checkName(directory)
    try checkModel(model, try session.configuration(), directory.catalogue)
    try session.addedModels.setAlias(name, to: model)
    try session.writeModel(name)
  }

  /// Rejects an alias that is invalid or already names something else.
  private func checkName(_ directory: ModelDirectory) throws(Failure) {
    var probe = Settings.ModelSettings()
    probe.provider = ModelName.ProviderName.local.rawValue
    try probe.check(name)
    guard !name.contains("/") else {
      throw Failure(.badUsage, "the short name '\(name)' must not contain a slash", input: name)
    }
    if ModelName.ProviderName(rawValue: name) != nil {
      throw Failure(
        .conflict, "the short name '\(name)' is the name of a provider", kind: .addedModel,
        input: name)
    }
    // The name in a record differs from the requested name only if that is an alias.
    if let known = try? ModelListing(directory).record(name), known.name == name {
      throw Failure(
        .conflict, "the short name '\(name)' is the name of a model", kind: .addedModel, input: name
      )
    }
  }

  /// Rejects a model that is unknown or is itself an alias, because aliases are resolved only once.
  private func checkModel(
    _ model: String, _ settings: Settings, _ catalogue: Catalogue
  ) throws(Failure) {
    let next = settings.aliases[model] ?? catalogue.model(ofAlias: model)
    if settings.models[model] == nil, let next {
      throw Failure(
        .badUsage, "'\(model)' is a short name", input: model, nextStep: "use '\(next)'")
    }
    var changed = settings
    changed.aliases[name] = model
    guard (try? ModelName(name, changed, catalogue: catalogue)) != nil else {
      throw Failure(
        .notFound, "unknown model '\(Visible.line(model))'", kind: .addedModel, input: model)
    }
  }
}
