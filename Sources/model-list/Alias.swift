import ArgumentParser
import Catalogue
import Command
import Core
import Providers

struct AliasModel: Tool {
  static let configuration = verbConfiguration("alias", abstract: "Give a model a short name")

  @Argument(help: "The short name.")
  var name: String
  @Argument(help: "The model that it stands for.", completion: .allModels)
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

  /// Refuses a short name that means something else already.
  private func checkName(_ directory: ModelDirectory) throws(Failure) {
    var probe = Settings.ModelSettings()
    probe.provider = ModelName.ProviderName.local.rawValue
    try probe.check(name)
    guard !name.contains("/") else {
      throw Failure(.badUsage, "'\(name)' has a slash, as no short name may", input: name)
    }
    if ModelName.ProviderName(rawValue: name) != nil {
      throw Failure(
        .conflict, "'\(name)' is a provider's name", kind: .addedModel, input: name)
    }
    // A record has another name than was asked for only if that was a short one.
    if let known = try? ModelListing(directory).record(name), known.name == name {
      throw Failure(
        .conflict, "'\(name)' is a model's own name", kind: .addedModel, input: name)
    }
  }

  /// Refuses a model that is not known, or that is a short name itself: they are looked up once.
  private func checkModel(
    _ model: String, _ settings: Settings, _ catalogue: Catalogue
  ) throws(Failure) {
    let next = settings.aliases[model] ?? catalogue.model(ofAlias: model)
    if settings.models[model] == nil, let next {
      throw Failure(
        .badUsage, "'\(model)' is a short name itself: name '\(next)'", input: model)
    }
    var changed = settings
    changed.aliases[name] = model
    guard (try? ModelName(name, changed, catalogue: catalogue)) != nil else {
      throw Failure(
        .notFound, "no model '\(Visible.line(model))' is known", kind: .addedModel, input: model)
    }
  }
}
