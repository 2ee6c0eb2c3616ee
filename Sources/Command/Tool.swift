public import ArgumentParser
public import Core
import Foundation

/// What makes an executable one of ours: it parses its options, gets a session, and ends with an
/// exit status by the failure table.
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

  /// Whether a terminal shows the stages of a run as they change, not every record.
  var showsStages: Bool { get }

  /// The arguments as the parser is to have them, where people may write them more freely.
  static func arranged(_ arguments: [String]) -> [String]

  /// Signals that the tool takes beside those that end every tool, by ``Session/signals``.
  static var takenSignals: [Int32] { get }

  /// Whether stdout is for records, those of failures too, where these arguments are given; else
  /// what stands there is something else, whole, or nothing.
  static func writesRecords(given arguments: [String]) -> Bool

  /// Does the work; a thrown failure ends the tool, others go to ``Session/fail(_:)``.
  func run(_ session: Session) async throws(Failure)
}

extension Tool {
  /// Every record is shown.
  public var showsStages: Bool { false }

  /// As they are.
  public static func arranged(_ arguments: [String]) -> [String] { arguments }

  /// No others.
  public static var takenSignals: [Int32] { [] }

  /// Records are what tools write.
  public static func writesRecords(given arguments: [String]) -> Bool { true }

  /// Parses the arguments, does the work, and ends the process.
  public static func main() {
    Launcher.launch(Self.self)
  }

  /// Never called: a tool needs its session.
  public func run() throws { throw CleanExit.helpRequest(self) }
}

/// A command that only holds small commands, such as `key-store`.
public protocol ToolGroup: ParsableCommand {
  /// Signals that one of them takes beside those that end every tool, by ``Session/signals``.
  static var takenSignals: [Int32] { get }
}

extension ToolGroup {
  /// No others.
  public static var takenSignals: [Int32] { [] }

  /// Parses the arguments, does the work of the small command, and ends the process.
  public static func main() {
    Launcher.launch(Self.self)
  }

  /// Asks for one of the small commands.
  public func run() throws {
    let names = Self.configuration.subcommands.compactMap {
      $0.configuration.commandName
    }
    throw ValidationError("Missing a command: \(names.joined(separator: ", "))")
  }
}

/// A tool's name, its job in a verb phrase, examples for its help, and of its small commands the
/// one that is meant where none is named.
public func toolConfiguration(
  _ name: String, abstract: String, discussion: String = "",
  subcommands: [any ParsableCommand.Type] = [], usual: (any ParsableCommand.Type)? = nil
) -> CommandConfiguration {
  CommandConfiguration(
    commandName: name, abstract: abstract, discussion: discussion,
    version: "\(name) \(Version.current)", subcommands: subcommands, defaultSubcommand: usual)
}

/// A small command's name and its job.
public func verbConfiguration(_ name: String, abstract: String) -> CommandConfiguration {
  CommandConfiguration(commandName: name, abstract: abstract)
}
