import ArgumentParser

/// A word on the command line that is in the position of a subcommand, but is none.
struct UnknownCommand {
  /// A sentence that reports the word.
  ///
  /// It has the form of the parser's sentence about an option.
  let sentence: String
  /// The command line whose help lists the subcommands, such as `tmux-attach key`.
  let group: String

  /// Finds such a word in the given rejected arguments.
  ///
  /// It is nil if no word is in the position of a subcommand, or if that word resembles no
  /// subcommand. In a group that runs other tools, the word need not resemble one.
  ///
  /// - Parameters:
  ///   - root: The tool.
  ///   - arguments: The rejected arguments.
  ///   - message: The parser's message. It contains unexpected arguments in quotes. It is nil if
  ///     the parser shows the help, as it does for `help` with any word.
  init?(_ root: any ParsableCommand.Type, _ arguments: [String], message: String?) {
    guard message != nil || arguments.first == "help" else { return nil }
    let words = message == nil ? arguments.dropFirst() : arguments[...]
    let name = root.configuration.commandName ?? ""
    let message = message ?? "Unexpected argument '\(words.first ?? "")'"
    guard let found = Self.find(root, name, words, message: message) else { return nil }
    self = found
  }

  private init(_ sentence: String, in group: String) {
    self.sentence = sentence
    self.group = group
  }

  private static func find(
    _ command: any ParsableCommand.Type, _ path: String, _ arguments: ArraySlice<String>,
    message: String
  ) -> UnknownCommand? {
    let verbs = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let words = arguments.prefix { $0 != "--" }
    let options = words.prefix { $0.hasPrefix("-") }
    guard !verbs.isEmpty, let word = words.dropFirst(options.count).first else { return nil }
    let rest = words.dropFirst(options.count + 1)
    if let verb = verbs.first(where: { $0.configuration.commandName == word }) {
      return find(verb, "\(path) \(word)", rest, message: message)
    }
    // The word may be the value of an option, or an operand of the default subcommand.
    let isSpare = message.contains("nexpected argument")
    guard
      isSpare && message.contains("'\(word)'")
        || options.isEmpty && (isSpare || !acceptsOperands(command))
    else { return nil }
    let others = (command as? any ToolGroup.Type)?.otherTools ?? []
    guard !others.contains(word) else {
      return UnknownCommand("the tool '\(word)' is not installed", in: path)
    }
    let near = NearWords.of(
      word, among: verbs.compactMap { $0.configuration.commandName } + ["help"] + others)
    guard !near.isEmpty || !others.isEmpty else { return nil }
    let names = near.map { "'\($0)'" }.joined(separator: " or ")
    return UnknownCommand(
      "unknown command '\(word)'" + (near.isEmpty ? "" : ". Did you mean \(names)?"), in: path)
  }

  private static func acceptsOperands(_ command: any ParsableCommand.Type) -> Bool {
    guard let usual = command.configuration.defaultSubcommand else { return false }
    return usual.helpMessage().contains("ARGUMENTS:")
  }
}
