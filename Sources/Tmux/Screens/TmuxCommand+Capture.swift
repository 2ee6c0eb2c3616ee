public import Core

extension TmuxCommand {
  /// Returns the command that captures a session's screen, together with its size and cursor.
  ///
  /// All of these belong to the same moment. ``TmuxScreen`` reads the output.
  ///
  /// - Parameters:
  ///   - target: The session; the active pane of its current window is captured.
  ///   - escapes: `true` to include colours and attributes.
  ///   - history: The number of lines above the screen to include.
  ///   - tmux: The absolute path of tmux on the host; nil for the one in the PATH.
  /// - Returns: The command.
  /// - Throws: `BadUsage` if `tmux` is not an absolute path.
  public static func capture(
    _ target: TmuxTarget, escapes: Bool = true, history: Int = 0, tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    // -N retains blanks at the end of a line, because they may have a colour.
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
