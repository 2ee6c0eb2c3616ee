public import ArgumentParser
public import Core
import Foundation

/// A command-line tool of this project.
///
/// A tool parses its options, receives a session, and ends with an exit status by the failure
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
  /// The options of every tool.
  var common: CommonOptions { get }

  /// `true` if a terminal shows a run's stages as they change instead of every record.
  var showsStages: Bool { get }

  /// Returns the arguments in the form that the parser expects.
  static func arranged(_ arguments: [String]) -> [String]

  /// The signals that the tool handles through ``Session/signals``, in addition to those that end
  /// every tool.
  static var handledSignals: [Int32] { get }

  /// Returns `true` if stdout carries records, also for failures; `false` if it carries another
  /// format or nothing.
  static func writesRecords(given arguments: [String]) -> Bool

  /// Runs the tool with the given session.
  ///
  /// A thrown failure ends the tool. A failure after which it continues goes to
  /// ``Session/fail(_:)``.
  func run(_ session: Session) async throws(Failure)
}

extension Tool {
  /// `false`, so that every record is shown.
  public var showsStages: Bool { false }

  /// Returns the arguments unchanged.
  public static func arranged(_ arguments: [String]) -> [String] { arguments }

  /// No additional signals.
  public static var handledSignals: [Int32] { [] }

  /// Returns `true`, since most tools write records.
  public static func writesRecords(given arguments: [String]) -> Bool { true }

  /// Parses the arguments, runs the tool, and ends the process.
  public static func main() {
    Launcher.launch(Self.self)
  }

  /// Prints help; required by the parser, but not used, because a tool runs with a session.
  public func run() throws { throw CleanExit.helpRequest(self) }
}

/// A command that only groups subcommands, such as `key-store`.
public protocol ToolGroup: ParsableCommand {
  /// The signals that a subcommand handles through ``Session/signals``, in addition to those that
  /// end every tool.
  static var handledSignals: [Int32] { get }
}

extension ToolGroup {
  /// No additional signals.
  public static var handledSignals: [Int32] { [] }

  /// Parses the arguments, runs the subcommand, and ends the process.
  public static func main() {
    Launcher.launch(Self.self)
  }

  /// Reports that a subcommand is missing.
  public func run() throws {
    let names = Self.configuration.subcommands.compactMap {
      $0.configuration.commandName
    }
    throw ValidationError("Missing a command: \(names.joined(separator: ", "))")
  }
}

/// Returns a tool's configuration: its name, its purpose in a verb phrase, examples for its help,
/// its subcommands and its default subcommand.
public func toolConfiguration(
  _ name: String, abstract: String, discussion: String = "",
  subcommands: [any ParsableCommand.Type] = [], usual: (any ParsableCommand.Type)? = nil
) -> CommandConfiguration {
  CommandConfiguration(
    commandName: name, abstract: abstract, discussion: discussion,
    version: "\(name) \(Version.current)", subcommands: subcommands, defaultSubcommand: usual)
}

/// Returns the configuration of a subcommand: its name and its purpose.
public func verbConfiguration(_ name: String, abstract: String) -> CommandConfiguration {
  CommandConfiguration(commandName: name, abstract: abstract)
}
