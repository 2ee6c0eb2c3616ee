public import Core

/// A session as tmux is told which one: that one, and no other that is called alike.
public struct TmuxTarget: Sendable, Hashable {
  /// The value of `-t`.
  ///
  /// With a colon at the end the text before it is a session's in every command; without one, those
  /// that want a pane look for one of that name.
  public let argument: String
  /// How people are told of it.
  public let name: String

  /// A session that was listed: by its id, which no other session ever has.
  public init(_ session: TerminalSession) {
    argument = "\(session.id):"
    name = session.name
  }

  /// A pane, by the id that it was listed or told of with, such as `%2`; for ``TmuxCommand/capture``.
  ///
  /// - Throws: `BadInput` for what is no such id.
  public init(pane: String) throws(Failure) {
    guard TerminalListing.isID(pane, "%") else {
      throw Failure(.badInput, "'\(Visible.line(pane))' is not the id of a tmux pane")
    }
    argument = pane
    name = pane
  }

  /// A session by its id or its exact name.
  ///
  /// - Parameter text: An id such as `$3`, or a name as tmux lists it.
  /// - Throws: `TmuxSessionNotFound` for a name that no session can have; `BadInput` for one that tmux
  ///   would take for something else where no session has it, so that only the id is safe.
  public init(_ text: String) throws(Failure) {
    name = text
    if TerminalListing.isID(text, "$") {
      argument = "\(text):"
      return
    }
    let visible = Visible.line(text)
    guard !text.isEmpty, !text.contains(":"), !text.contains("."),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw Failure(.tmuxSessionNotFound, "a tmux session cannot be named '\(visible)'")
    }
    guard !text.hasPrefix("$"), !Self.mayBeClient(text) else {
      throw Failure(
        .badInput, "tmux does not read '\(visible)' as a session name: use the session's id")
    }
    // Without the sign tmux also takes the start of a name, or a pattern.
    argument = "=\(text):"
  }

  /// Whether tmux may call a client so: after the sessions, `-t` finds a session by who looks at it.
  private static func mayBeClient(_ text: String) -> Bool {
    if text.hasPrefix("/") { return true }
    for start in ["client-", "pts/", "tty"] where text.hasPrefix(start) {
      let rest = text.dropFirst(start.count)
      return start == "tty" || !rest.isEmpty && rest.allSatisfy(\.isNumber)
    }
    return false
  }
}
