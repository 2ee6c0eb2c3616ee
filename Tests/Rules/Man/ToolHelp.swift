import Foundation

/// What a tool tells about itself with `--experimental-dump-help`.
struct ToolHelp: Decodable {
  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// The options of this command, without those below it.
    fileprivate var ownOptions: [[String]] {
      (arguments ?? []).compactMap(\.names).map { names in
        names.map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }
      }
    }
  }

  struct Argument: Decodable {
    var names: [Name]?
  }

  struct Name: Decodable {
    var kind: String
    var name: String
  }

  var command: Command

  /// Asks a tool.
  init(of tool: String) throws {
    let json = try Repository.output(of: tool, ["--experimental-dump-help"])
    self = try JSONDecoder().decode(ToolHelp.self, from: json)
  }

  /// Every option, hidden ones and those of small commands too; those of `help` are the parser's.
  var options: Set<String> { Set(optionNames.flatMap(\.self)) }

  /// The names of each option, such as `-v` and `--verbose`.
  var optionNames: Set<[String]> {
    let small = (command.subcommands ?? []).filter { $0.commandName != "help" }
    return Set(command.ownOptions + small.flatMap(\.ownOptions))
  }

  /// The names that lead to each command: none for the tool, `["key", "show"]` for a command of `key`.
  var paths: [[String]] { Self.paths(from: command, []) }

  private static func paths(from command: Command, _ path: [String]) -> [[String]] {
    let small = (command.subcommands ?? []).filter { $0.commandName != "help" }
    return [path] + small.flatMap { paths(from: $0, path + [$0.commandName]) }
  }

  /// The names of the small commands, without the parser's own `help`.
  var commands: Set<String> {
    Set((command.subcommands ?? []).map(\.commandName)).subtracting(["help"])
  }
}
