public import Core

extension TmuxCommand {
  /// Takes a session's screen as it is now, and its size and cursor in the same moment:
  /// ``TmuxScreen`` reads the answer.
  ///
  /// - Parameters:
  ///   - target: The session; its current window's active pane is taken.
  ///   - escapes: Whether colours and attributes come with it.
  ///   - history: How many lines above the screen are taken too.
  ///   - tmux: The program, by an absolute path.
  /// - Returns: The command.
  /// - Throws: `BadUsage` for another path.
  public static func capture(
    _ target: TmuxTarget, escapes: Bool = true, history: Int = 0, tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    // -N: blanks at the end of a line may have a colour.
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
