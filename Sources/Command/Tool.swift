public import ArgumentParser
public import Core
import Foundation

/// A command-line tool of this project.
///
/// A tool parses its options, receives a session, and ends with an exit status from the failure
/// table.
///
/// ```swift
/// @main struct ExportMD: Tool {
///   static let configuration = toolConfiguration("export-md", abstract: "Write records as files")
///   @OptionGroup var common: CommonOptions
///   func run(_ session: Session) async throws(Failure) { … }
/// }
/// ```
public protocol Tool: ParsableCommand, Sendable {
  /// The options that every tool has.
  var common: CommonOptions { get }

  /// `true` if a terminal shows a run's stages as they change, instead of every record.
  var showsStages: Bool { get }

  /// Returns the arguments in the form that the parser expects.
  static func arranged(_ arguments: [String]) -> [String]

  /// The signals that the tool handles through ``Session/signals``.
  ///
  /// The signals that end every tool are not included.
  static var handledSignals: [Int32] { get }

  /// Returns `true` if the tool writes records, including records of failures, to stdout.
  ///
  /// It returns `false` if the tool writes another format or nothing.
  static func writesRecords(given arguments: [String]) -> Bool

  /// Answers a run with wrong arguments in the tool's own format.
  ///
  /// The failure was already reported.
  ///
  /// - Returns: The exit status; nil for the usual one.
  static func status(afterRefusing failure: Failure, given arguments: [String]) -> Int32?

  /// Runs the tool in the given session.
  ///
  /// A thrown failure ends the tool. To continue after a failure, the tool passes it to
  /// ``Session/fail(_:)``.
  func run(_ session: Session) async throws(Failure)
}

extension Tool {
  /// `false`: a terminal shows every record.
  public var showsStages: Bool { false }

  /// Returns the arguments unchanged.
  public static func arranged(_ arguments: [String]) -> [String] { arguments }

  /// An empty list: the tool handles no additional signals.
  public static var handledSignals: [Int32] { [] }

  /// Returns `true`, because most tools write records.
  public static func writesRecords(given arguments: [String]) -> Bool { true }

  /// Returns nil: the tool has no format of its own for wrong arguments.
  public static func status(
    afterRefusing failure: Failure, given arguments: [String]
  ) -> Int32? { nil }

  /// Parses the arguments, runs the tool, and ends the process.
  public static func main() {
    Launcher.launch(Self.self)
  }

  /// Prints the help.
  ///
  /// The parser requires this method, but a tool is run with a session instead.
  public func run() throws { throw CleanExit.helpRequest(self) }
}

/// A command that only contains subcommands, such as `key-store`.
public protocol ToolGroup: ParsableCommand {
  /// The signals that a subcommand handles through ``Session/signals``.
  ///
  /// The signals that end every tool are not included.
  static var handledSignals: [Int32] { get }

  /// The names of other tools that the group runs if they are in the position of a subcommand.
  static var otherTools: [String] { get }
}

extension ToolGroup {
  /// An empty list: the group runs only its subcommands.
  public static var otherTools: [String] { [] }

  /// An empty list: the subcommands handle no additional signals.
  public static var handledSignals: [Int32] { [] }

  /// Parses the arguments, runs the subcommand in them, and ends the process.
  public static func main() { launch() }

  /// Parses the arguments, runs the subcommand in them, and ends the process.
  ///
  /// A group that does something else first has a `main` of its own, which calls this method.
  public static func launch() -> Never { Launcher.launch(Self.self) }

  /// Throws an error that a subcommand is missing.
  public func run() throws {
    let names = Self.configuration.subcommands.compactMap {
      $0.configuration.commandName
    }
    throw ValidationError("Missing a command: \(names.joined(separator: ", "))")
  }
}

/// Returns the configuration of a tool.
///
/// - Parameters:
///   - name: The tool's name.
///   - abstract: The tool's purpose, as a verb phrase.
///   - discussion: Examples for the tool's help.
///   - subcommands: The tool's subcommands.
///   - usual: The default subcommand; nil if there is none.
/// - Returns: The configuration.
public func toolConfiguration(
  _ name: String, abstract: String, discussion: String = "",
  subcommands: [any ParsableCommand.Type] = [], usual: (any ParsableCommand.Type)? = nil
) -> CommandConfiguration {
  CommandConfiguration(
    commandName: name, abstract: abstract, discussion: discussion,
    version: "\(name) \(Version.current)", subcommands: subcommands, defaultSubcommand: usual)
}

/// Returns the configuration of a subcommand with the given name and purpose.
public func verbConfiguration(_ name: String, abstract: String) -> CommandConfiguration {
  CommandConfiguration(commandName: name, abstract: abstract)
}
