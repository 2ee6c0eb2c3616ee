public import ArgumentParser
import Catalogue
import Core
import Storage

extension CompletionKind {
  /// The providers whose models in the catalogue are completed even if no configuration names them.
  private static let builtInProviders = ["anthropic", "openai", "apple"]
  /// The name of the model that needs no provider.
  private static let extractive = "extractive"

  /// The completion of models that generate text.
  ///
  /// They are added models, aliases and models of the catalogue.
  public static var models: CompletionKind { known { $0 != "image" } }
  /// The completion of models that generate images.
  public static var imageModels: CompletionKind { known { $0 == "image" } }
  /// The completion of models of every kind.
  public static var allModels: CompletionKind { known { _ in true } }

  /// Returns the completion of models whose kind satisfies `isWanted`.
  private static func known(_ isWanted: @escaping @Sendable (String) -> Bool) -> CompletionKind {
    .custom { _, _, _ in
      let (settings, catalogue) = (settings, Catalogue(directories))
      var names: [StoredNames.Name] = []
      for (name, model) in settings.models.sorted(by: { $0.key < $1.key })
      where isWanted(model.kind ?? "chat") {
        names.append(StoredNames.Name(id: name, text: model.provider))
      }
      let short =
        settings.aliases.map { (alias: $0.key, name: $0.value) }
        + catalogue.shortNames.map { (alias: $0, name: catalogue.model(ofAlias: $0) ?? "") }
      for (alias, name) in short.sorted(by: { $0.alias < $1.alias })
      where isWanted(catalogue.provider(ofName: name)?.kind ?? "chat") {
        names.append(StoredNames.Name(id: alias, text: name))
      }
      for provider in builtInProviders {
        for name in catalogue.names(of: provider)
        where isWanted(catalogue.facts(provider, name).kind ?? "chat") {
          let isBare = catalogue.provider(ofName: name)?.provider == provider
          names.append(
            StoredNames.Name(id: isBare ? name : "\(provider)/\(name)", text: provider))
        }
      }
      if isWanted("chat") { names.append(StoredNames.Name(id: extractive)) }
      for record in ListedModels(directories).records() where isWanted(record.kind) {
        names.append(StoredNames.Name(id: record.name, text: record.provider))
      }
      var known: Set<String> = []
      return shown(names.filter { known.insert($0.id).inserted })
    }
  }
}
