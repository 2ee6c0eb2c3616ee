import Command
import Core
import Events
import Foundation
import Tools

extension Session {
  /// Opens the tools of all sources for the given work, and ends the servers after it.
  ///
  /// - Throws: The errors of the configuration and of the work.
  func withTools<Value>(
    _ options: SourceOptions, readOnly: Bool = false,
    gate: (@Sendable (ApprovalGate) -> Void)? = nil, retries: Int? = nil,
    _ work: (Toolbox) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    var choices = ToolOptions()
    (choices.allow, choices.gate, choices.retries) = (options.allow, gate, retries)
    (choices.version, choices.openPage, choices.isReadOnly) = (version, browse, readOnly)
    choices.journal = EventJournal(directories, report: report)
    if let file = options.mcpConfig {
      choices.configuration = (
        ShownURL.inName(file),
        try Self.bytes(ofFile: file, atMost: ClientConfiguration.mostBytes)
      )
    }
    return try await Toolbox.using(self, choices, work)
  }

  /// Returns the listed tools; the sources that cannot be listed are failures after which the tool
  /// goes on.
  ///
  /// - Throws: `NotFound` if there is no such source; `Interrupted`.
  func tools(
    _ toolbox: Toolbox, of source: String?, fresh: Bool
  ) async throws(Failure) -> [ToolRecord] {
    var tools: [ToolRecord] = []
    for list in try await toolbox.lists(of: source, fresh: fresh) {
      do throws(Failure) {
        tools += try list.get()
      } catch {
        try goOn(after: error)
      }
    }
    return tools
  }

  /// Returns the tools that Composio's router finds, without those that were found already.
  ///
  /// - Throws: `Interrupted`. Other failures are those after which the tool goes on.
  func routed(
    _ toolbox: Toolbox, _ words: String, except found: [ToolRecord]
  ) async throws(Failure) -> [ToolRecord] {
    let names = Set(found.map(\.fullName))
    do throws(Failure) {
      return try await toolbox.searchComposio(words).filter { !names.contains($0.fullName) }
    } catch {
      try goOn(after: error)
      return []
    }
  }

  /// Writes the given outcome, and counts its failure in the exit status.
  ///
  /// - Parameters:
  ///   - outcome: The outcome.
  ///   - source: The line of the call, which failures mention; nil for none.
  /// - Throws: As `RecordWriter.write`.
  func write(_ outcome: ToolOutcome, at source: String? = nil) throws(Failure) {
    var result = outcome.result
    if let source { result.error = result.error?.at(source) }
    defer { fail(by: result, outcome.mismatch.map { source.map($0.at) ?? $0 }) }
    try output.write(result)
  }

  /// Reports the failure in a result, and the mismatch of its output and its schema.
  private func fail(by result: ToolResult, _ mismatch: Failure?) {
    if let failure = result.error {
      remember(failure)
      if failure.code != .interrupted { diagnostics.report(failure) }
    } else if result.isError {
      let name = Visible.line("\(result.source ?? "")/\(result.name)")
      let failure = Failure(
        .toolFailed, "'\(name)' reported an error: \(Self.firstLine(result.text))")
      remember(failure)
      diagnostics.report(failure)
    }
    if let mismatch { fail(mismatch) }
  }

  private static func firstLine(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).first ?? "no text"
    return Visible.line(String(line.prefix(300)))
  }
}
