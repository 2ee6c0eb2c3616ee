import Chats
import Command
import Core
import Events
import Tools

extension LoopOptions {
  /// Runs `work` with the offered tools, and ends their servers after it.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - retries: The number of retries of failed requests; nil for the usual numbers.
  ///   - work: Sends the prompts; it receives nil if no tools are offered.
  /// - Throws: `NotFound` if a pattern matches no tool; the errors of the configuration and of
  ///   `work`.
  func offering(
    _ session: Session, retries: Int?, _ work: (ChatTools?) async throws(Failure) -> Void
  ) async throws(Failure) {
    guard !tools.isEmpty else { return try await work(nil) }
    try await Toolbox.using(session, try choices(session, retries)) {
      (toolbox) async throws(Failure) in
      var offered = ChatTools(try await OfferedTools(toolbox, matching: tools))
      offered.maximumRounds = maxRounds
      offered.maximumResultCharacters = maxResultCharacters
      try await work(offered)
    }
  }

  private func choices(_ session: Session, _ retries: Int?) throws(Failure) -> ToolOptions {
    var choices = ToolOptions()
    (choices.allow, choices.retries, choices.version) = (allowed, retries, session.version)
    (choices.openPage, choices.isReadOnly) = (session.browse, readOnly)
    if let file = mcpConfig {
      choices.configuration = (
        ShownURL.inName(file),
        try Session.bytes(ofFile: file, atMost: ClientConfiguration.mostBytes)
      )
    }
    choices.journal = EventJournal(session.directories, report: session.report)
    // A reader that is gone must not end the wait for a decision.
    if gate { choices.gate = { try? session.output.write($0) } }
    return choices
  }
}
