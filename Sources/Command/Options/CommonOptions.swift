public import ArgumentParser
public import Display

/// The options of every tool.
public struct CommonOptions: ParsableArguments, Sendable {
  @Flag(help: "Write NDJSON, even to a terminal.")
  var json = false

  @Flag(help: "Write text, even to a pipe.")
  var text = false

  @Option(help: ArgumentHelp("Colour.", valueName: "when"))
  var color = Palette.Choice.auto

  @Flag(name: .shortAndLong, help: "Report each step on stderr.")
  var verbose = false

  @Flag(help: ArgumentHelp("Report the duration of each step on stderr.", visibility: .hidden))
  package var timings = false

  /// Creates options that are not yet parsed.
  public init() {}

  /// Throws an error if both `--json` and `--text` were given.
  public func validate() throws {
    guard !(json && text) else { throw ValidationError("--json and --text exclude each other.") }
  }
}

extension Palette.Choice: ExpressibleByArgument {}
