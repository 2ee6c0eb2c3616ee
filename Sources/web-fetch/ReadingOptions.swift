import ArgumentParser
import Command
import Fetching

/// What of a page is kept.
struct ReadingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Cut the text there; 0 keeps all.", valueName: "characters"))
  var maxCharacters = 8000

  func validate() throws {
    guard maxCharacters >= 0 else {
      throw ValidationError("--max-characters must not be negative.")
    }
  }

  func apply(to options: inout FetchOptions) {
    options.maximumCharacters = maxCharacters
  }
}
