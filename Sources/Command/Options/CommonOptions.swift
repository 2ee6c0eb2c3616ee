public import ArgumentParser
public import Display

/// The options of every tool.
public struct CommonOptions: ParsableArguments, Sendable {
  @Flag(help: "Write NDJSON, on a terminal too.")
  var json = false

  @Flag(help: "Write text for people, in a pipe too.")
  var text = false

  @Option(help: ArgumentHelp("Colour text: auto, always or never.", valueName: "when"))
  var color = Palette.Choice.auto

  @Flag(name: .shortAndLong, help: "Tell on stderr what is done.")
  var verbose = false

  @Flag(help: ArgumentHelp("Tell on stderr how long each step takes.", visibility: .hidden))
  package var timings = false

  /// Creates options that are not yet parsed.
  public init() {}

  /// Rejects `--json` together with `--text`.
  public func validate() throws {
    guard !(json && text) else { throw ValidationError("--json and --text exclude each other.") }
  }
}

extension Palette.Choice: ExpressibleByArgument {}
