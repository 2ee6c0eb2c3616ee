public import Core

extension TmuxCommand {
  /// Captures a session's screen, and its size and cursor at the same moment, for ``TmuxScreen`` to
  /// read.
  ///
  /// - Parameters:
  ///   - target: The session; the active pane of its current window is captured.
  ///   - escapes: `true` to include colours and attributes.
  ///   - history: The number of lines above the screen to include.
  ///   - tmux: The program, by an absolute path.
  /// - Returns: The command.
  /// - Throws: `BadUsage` for another path.
  public static func capture(
    _ target: TmuxTarget, escapes: Bool = true, history: Int = 0, tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    // -N keeps blanks at the end of a line, which may have a colour.
    let wanted =
      (escapes ? ["-e", "-N"] : [])
      + (history > 0 ? ["-S", "-\(min(history, TmuxScreen.maximumHistory))"] : [])
    return try TmuxCommand(
      tmux: tmux,
      [
        ["display-message", "-p", "-t", target.argument, TmuxScreen.format],
        ["capture-pane", "-p"] + wanted + ["-t", target.argument],
      ])
  }
}
