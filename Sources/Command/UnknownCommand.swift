import ArgumentParser

/// A word in the place of a small command that resembles one without being one.
struct UnknownCommand {
  /// The sentence about it, in the form of the parser's sentence about an option.
  let sentence: String
  /// The command line whose help lists the small commands, such as `tmux-attach key`.
  let group: String

  /// Finds the word in the arguments that a tool refused; nil if no word stands in such a place, or
  /// if it resembles no command.
  ///
  /// - Parameters:
  ///   - root: The tool.
  ///   - arguments: The arguments.
  ///   - told: The parser's message, which names unexpected arguments in quotes.
  init?(_ root: any ParsableCommand.Type, _ arguments: [String], told: String) {
    // Not one tuple: the compiler crashes on a type in it.
    var command: any ParsableCommand.Type = root
    var path = root.configuration.commandName ?? ""
    var followsOption = false
    for word in arguments {
      let verbs = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      guard !verbs.isEmpty, word != "--" else { return nil }
      if word.hasPrefix("-") {
        followsOption = true
        continue
      }
      if let verb = verbs.first(where: { $0.configuration.commandName == word }) {
        command = verb
        path += " \(word)"
        continue
      }
      // The word may be the value of an option, or an operand of the usual command.
      let isNamed = told.contains("nexpected argument") && told.contains("'\(word)'")
      guard isNamed || !followsOption && !Self.takesOperands(command) else { return nil }
      let near = NearWords.of(
        word, among: verbs.compactMap(\.configuration.commandName) + ["help"])
      guard !near.isEmpty else { return nil }
      let names = near.map { "'\($0)'" }.joined(separator: " or ")
      (sentence, group) = ("unknown command '\(word)'. Did you mean \(names)?", path)
      return
    }
    return nil
  }

  private static func takesOperands(_ command: any ParsableCommand.Type) -> Bool {
    guard let usual = command.configuration.defaultSubcommand else { return false }
    return usual.helpMessage().contains("ARGUMENTS:")
  }
}
