public import Core

/// A target for tmux's `-t` that matches exactly one session or pane.
///
/// It never matches a session or pane with a similar name.
public struct TmuxTarget: Sendable, Hashable {
  /// The value of `-t`.
  ///
  /// A trailing colon marks the text as a session. Without it, commands that act on a pane would
  /// look for a pane with that name.
  public let argument: String
  /// The name of the session or pane for messages.
  public let name: String

  /// Creates the target of the given session.
  ///
  /// It uses the session's ID, which is never reused.
  public init(_ session: TerminalSession) {
    argument = "\(session.id):"
    name = session.name
  }

  /// Creates the target of a pane for ``TmuxCommand/capture``.
  ///
  /// - Parameter pane: An ID that tmux reported, such as `%2`.
  /// - Throws: `BadInput` if the text is not such an ID.
  public init(pane: String) throws(Failure) {
    guard TerminalListing.isID(pane, "%") else {
      throw Failure(.badInput, "'\(Visible.line(pane))' is not the id of a tmux pane")
    }
    argument = pane
    name = pane
  }

  /// Creates the target of a session by its ID or exact name.
  ///
  /// - Parameter text: An ID such as `$3`, or a name as tmux lists it.
  /// - Throws: `TmuxSessionNotFound` if no session can have the name; `BadInput` if tmux could
  ///   resolve the name to something other than a session.
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
        .badInput, "tmux does not read '\(visible)' as a session name",
        nextStep: "use the session's id")
    }
    // Without the '=', tmux also matches the start of a name, or a pattern.
    argument = "=\(text):"
  }

  /// Returns `true` if a tmux client may have the given name.
  ///
  /// If no session has that name, `-t` finds the session to which the client is attached.
  private static func mayBeClient(_ text: String) -> Bool {
    if text.hasPrefix("/") { return true }
    for start in ["client-", "pts/", "tty"] where text.hasPrefix(start) {
      let rest = text.dropFirst(start.count)
      return start == "tty" || !rest.isEmpty && rest.allSatisfy(\.isNumber)
    }
    return false
  }
}
