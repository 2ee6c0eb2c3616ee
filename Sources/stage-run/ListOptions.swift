import ArgumentParser
import Core

/// The options that list stored pipelines and filter the list.
struct ListOptions: ParsableArguments {
  @Flag(help: "List stored pipelines, newest first.")
  var list = false
  @Option(
    help: "With --list, show only this status.",
    completion: .list(PipelineStatus.allCases.map(\.rawValue)))
  var status: String?
  @Option(help: ArgumentHelp("With --list, show at most this many.", valueName: "number"))
  var limit: Int?

  /// The status that the listed pipelines must have; nil for any.
  var wanted: PipelineStatus? { status.flatMap(PipelineStatus.init) }

  func validate() throws {
    guard status == nil || list else { throw ValidationError("--status needs --list.") }
    guard status == nil || wanted != nil else {
      throw ValidationError(
        "--status must be one of \(PipelineStatus.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    guard limit == nil || list else { throw ValidationError("--limit needs --list.") }
    guard limit ?? 1 > 0 else { throw ValidationError("--limit must be 1 or more.") }
  }
}
