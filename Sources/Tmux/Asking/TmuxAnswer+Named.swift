public import Core

extension TmuxAnswer {
  /// Returns the listed session whose name or ID is exactly `text`.
  ///
  /// - Throws: `TmuxSessionNotFound` if there is none; its message lists the host's sessions.
  public static func named(
    _ text: String, in sessions: [ListedTerminal], on host: String
  ) throws(Failure) -> ListedTerminal {
    if let found = sessions.first(where: { $0.session.id == text || $0.session.name == text }) {
      return found
    }
    let names = sessions.prefix(8).map { "'\(Visible.line($0.session.name))'" }
    let others =
      names.isEmpty
      ? "there are none"
      : "there are \(names.joined(separator: ", "))"
        + (sessions.count > 8 ? " and \(sessions.count - 8) more" : "")
    throw Failure(
      .tmuxSessionNotFound,
      "there is no tmux session '\(Visible.line(text))' on '\(Visible.line(host))': \(others)",
      input: text)
  }
}
