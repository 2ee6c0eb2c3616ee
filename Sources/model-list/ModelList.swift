import ArgumentParser
import Catalogue
import Command
import Core
import Providers

@main
struct ModelList: ToolGroup {
  static let configuration = toolConfiguration(
    "model-list", abstract: "List and describe models",
    discussion: """
      Examples:
        model-list | jq -r 'select(.available) | .name'
        model-list add llama3 --provider local --endpoint http://127.0.0.1:8080/v1
        model-list check sonnet
      """,
    subcommands: [
      ListModels.self, ShowModel.self, AddModel.self, RemoveModel.self, DefaultModel.self,
      AliasModel.self, RefreshModels.self, RefreshPrices.self, CheckModel.self,
    ], usual: ListModels.self)
}

struct ListModels: Tool {
  static let configuration = verbConfiguration(
    "list", abstract: "List built-in, added and downloaded models")

  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let listed = ListedModels(session.directories).records()
    try session.write(try ModelListing(session.models().directory).all(listed: listed))
  }
}

struct AddModel: Tool {
  static let configuration = verbConfiguration(
    "add", abstract: "Add a model, or replace its description")

  @Argument(help: "The model's name.")
  var name: String
  @Option(
    help: "The provider: anthropic, openai, azure, github, local.",
    completion: .list(ProviderModels.providers))
  var provider: String?
  @Option(help: ArgumentHelp("The base URL of the server.", valueName: "url"))
  var endpoint: String?
  @Option(
    help: "The API of the server: chat, responses or image.",
    completion: .list(Settings.ModelSettings.kinds))
  var kind: String?
  @Option(
    help: ArgumentHelp("The name of its key; the provider's by default.", valueName: "name"),
    completion: .secrets)
  var key: String?
  @Option(help: ArgumentHelp("The context window, in tokens.", valueName: "tokens"))
  var context: Int?
  @Option(
    help: ArgumentHelp("US dollars per million input tokens.", valueName: "price"),
    transform: Double.decimal)
  var inputPrice: Double?
  @Option(
    help: ArgumentHelp("US dollars per million output tokens.", valueName: "price"),
    transform: Double.decimal)
  var outputPrice: Double?
  @Option(
    help: ArgumentHelp("US dollars per million tokens read from a cache.", valueName: "price"),
    transform: Double.decimal)
  var cacheReadPrice: Double?
  @Option(
    help: ArgumentHelp("US dollars per million tokens written to a cache.", valueName: "price"),
    transform: Double.decimal)
  var cacheWritePrice: Double?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard context ?? 1 > 0 else { throw ValidationError("--context must be positive.") }
    for price in [inputPrice, outputPrice, cacheReadPrice, cacheWritePrice] {
      guard price.map({ $0.isFinite && $0 >= 0 }) ?? true else {
        throw ValidationError("A price must be at least 0.")
      }
    }
  }

  func run(_ session: Session) throws(Failure) {
    var model = Settings.ModelSettings()
    (model.provider, model.endpoint, model.kind, model.key) = (provider, endpoint, kind, key)
    model.contextTokens = context
    model.inputPricePerMillion = inputPrice
    model.outputPricePerMillion = outputPrice
    model.cacheReadPricePerMillion = cacheReadPrice
    model.cacheWritePricePerMillion = cacheWritePrice
    try model.check(name)
    try session.addedModels.add(name, model)
    try session.writeModel(name)
  }
}

struct RemoveModel: Tool {
  static let configuration = verbConfiguration("remove", abstract: "Remove an added model")

  @Argument(help: "The model's name.", completion: .addedModels)
  var name: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    try session.addedModels.remove(name)
    if session.isOnTerminal { session.diagnostics.report("removed: \(name)") }
  }
}
