import ArgumentParser
import Command
import Core
import Display
import Providers

struct ShowModel: Tool {
  static let configuration = verbConfiguration("show", abstract: "Show the facts about a model")

  @Argument(help: "The model's name.", completion: .allModels)
  var name: String
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let record = try ModelListing(session.models().directory).record(name)
    guard !session.output.isNDJSON else { return try session.output.write(record) }
    let text = RecordText(
      width: session.isOnTerminal ? TerminalSize(of: 1)?.columns : nil, palette: session.palette)
    try session.output.write(text: text.card(record))
  }
}
