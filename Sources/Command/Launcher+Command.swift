import ArgumentParser
import Core

extension Launcher {
  /// Returns `true` if the command in the arguments writes records, including records of failures.
  static func writesRecords(_ root: any ParsableCommand.Type) -> Bool {
    let given = Array(OwnArguments.words.dropFirst())
    return (command(of: root, given) as? any Tool.Type)?.writesRecords(given: given) ?? true
  }

  /// Lets the command in the arguments answer in its own format that the arguments are wrong.
  ///
  /// - Returns: The exit status; nil for the usual one.
  static func status(_ root: any ParsableCommand.Type, afterRefusing failure: Failure) -> Int32? {
    let given = Array(OwnArguments.words.dropFirst())
    let tool = command(of: root, given) as? any Tool.Type
    return tool?.status(afterRefusing: failure, given: given)
  }

  /// Returns the message about rejected arguments.
  ///
  /// An unknown option is reported first. The parser may report a consequence of it instead, such
  /// as a missing operand.
  static func message(_ root: any ParsableCommand.Type, _ error: any Error) -> String {
    let message = root.message(for: error)
    guard let unknown = unknownOption(root) else { return ValueForms.added(to: message) }
    // The parser's own sentence may also suggest the intended option.
    return message.hasPrefix(unknown) ? message : unknown
  }

  private static func unknownOption(_ root: any ParsableCommand.Type) -> String? {
    let given = arguments(for: root).prefix { $0 != "--" }
    let help = root.helpMessage(for: command(of: root, Array(given)), includeHidden: true)
    let known = Set(help.split { $0.isWhitespace || ",|[]()'".contains($0) }.map(String.init))
    let names = given.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 != "=" } }
    return names.first { !known.contains(String($0)) }.map { "Unknown option '\($0)'" }
  }

  /// Returns the subcommand in the given arguments; the tool itself if there is none.
  private static func command(
    of root: any ParsableCommand.Type, _ given: [String]
  ) -> any ParsableCommand.Type {
    var command = root
    for name in given {
      let verbs = command.configuration
      guard let verb = verbs.subcommands.first(where: { $0.configuration.commandName == name })
      else { return verbs.defaultSubcommand ?? command }
      command = verb
    }
    return command.configuration.defaultSubcommand ?? command
  }
}
