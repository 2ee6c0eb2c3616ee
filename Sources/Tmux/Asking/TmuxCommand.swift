public import Core

/// A command line that runs tmux on a host over an SSH exec channel.
///
/// The command contains `-u`, because the channel has no locale and tmux would print `_` for `é`.
public struct TmuxCommand: Sendable, Hashable {
  /// The command line for the host's login shell.
  public let line: String

  /// Builds the command line.
  ///
  /// - Parameters:
  ///   - tmux: The absolute path of tmux on the host; nil for the `tmux` in the login shell's PATH.
  ///   - words: The tmux commands, each a list of words.
  ///   - endsWithInput: `true` if the command ends when its input ends.
  /// - Throws: `BadUsage` if `tmux` is not an absolute path; `BadInput` if a word has control
  ///   characters.
  init(tmux: String?, _ words: [[String]], endsWithInput: Bool = false) throws(Failure) {
    if let tmux {
      guard tmux.hasPrefix("/"), !tmux.hasSuffix("/") else {
        throw Failure(.badUsage, "'\(Visible.line(tmux))' is not an absolute path")
      }
    }
    var arguments = [tmux ?? "tmux", "-u"]
    for (index, command) in words.enumerated() {
      if index > 0 { arguments.append(";") }
      arguments += command.map(Self.escaped)
    }
    if endsWithInput { arguments = ["sh", "-c", Self.guarding, "sh"] + arguments }
    line = try ShellWord.line(arguments)
  }

  /// A script for sh(1) that runs its arguments as a command and exits with its status.
  ///
  /// Five seconds after the end of the input, it ends the command.
  ///
  /// Without the script, a client in control mode could run forever and block the session's
  /// programs. Such a client notices only at its input that the connection has ended, and it does
  /// not exit while it has unread output (tmux 3.3a, `control_all_done`). The client's input is a
  /// separate pipe, because tmux makes its input non-blocking. An empty line on that pipe detaches
  /// the client. A write to a client that has exited kills the writer.
  ///
  /// If a client dies silently, the script must still end. Some shells (dash) wait for whole
  /// pipelines, so the processes that read the input must be killed. Their process IDs are
  /// therefore sent through the pipe first.
  private static let guarding =
    #"exec 3<&0; trap 'kill "$t" 2>/dev/null' TERM; "#
    + #"{ cat <&3 & sh -c 'echo "$PPID $1"' sh "$!"; exec </dev/null 3<&-; wait "$!"; "#
    + #"echo && sleep 5 && echo && kill "$$"; } 2>/dev/null "#
    + #"| { trap 'kill "$t" 2>/dev/null' TERM; read -r f c; exec 4<&0; "$@" <&4 3<&- 4<&- & t=$!; "#
    + #"exec </dev/null 2>/dev/null 3<&- 4<&-; wait "$t"; s=$?; kill "$f" "$c"; exit "$s"; } "#
    + #"& t=$!; exec 2>/dev/null 3<&-; wait "$t""#

  /// Returns the given word, escaped so that tmux does not take any part of it for the end of a
  /// command (cmd_parse_from_arguments).
  private static func escaped(_ word: String) -> String {
    word.hasSuffix(";") ? "\(word.dropLast())\\;" : word
  }

  /// Returns the command that lists the sessions in the form that ``TerminalListing`` reads.
  public static func list(tmux: String? = nil) throws(Failure) -> TmuxCommand {
    try TmuxCommand(tmux: tmux, [["list-sessions", "-F", TerminalListing.format]])
  }

  /// Returns the command whose exit status is 0 if the given session exists.
  public static func has(_ target: TmuxTarget, tmux: String? = nil) throws(Failure) -> TmuxCommand {
    try TmuxCommand(tmux: tmux, [["has-session", "-t", target.argument]])
  }

  /// Returns the command that ends the given session and everything that runs in it.
  public static func kill(
    _ target: TmuxTarget, tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    try TmuxCommand(tmux: tmux, [["kill-session", "-t", target.argument]])
  }

  /// Returns the command that creates a detached session and prints it as ``list(tmux:)`` does.
  ///
  /// - Parameters:
  ///   - name: The session's name.
  ///   - path: The initial folder; nil for the user's home.
  ///   - size: The columns and lines of the window; nil for tmux's default.
  ///   - command: The program to run. One word is a line for the host's shell; several words are a
  ///     program and its arguments. Without a word, a shell runs.
  ///   - tmux: The absolute path of tmux on the host; nil for the one in the PATH.
  /// - Returns: The command.
  /// - Throws: `BadInput` if tmux would change the name, or if a text has control characters;
  ///   `BadUsage` if `tmux` is not an absolute path.
  public static func create(
    _ name: String, path: String? = nil, size: (columns: Int, lines: Int)? = nil,
    command: [String] = [], tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    // tmux replaces ':' and '.' by '_' and doubles a backslash. It reads a name that begins with
    // '$' as an ID.
    guard !name.isEmpty, !name.hasPrefix("$"), !name.contains(where: { ":.\\".contains($0) }) else {
      throw Failure(
        .badInput,
        "a tmux session cannot be named '\(Visible.line(name))': it must not contain ':', '.' or '\\', "
          + "or begin with '$'")
    }
    // If a client or a pattern could match the name, the name would not find the session again.
    do throws(Failure) {
      _ = try TmuxTarget(name)
    } catch {
      throw Failure(.badInput, error.explanation, kind: .sessionName)
    }
    var words = [
      "new-session", "-d", "-P", "-F", TerminalListing.format, "-s", unexpanded(name),
    ]
    if let path { words += ["-c", unexpanded(path)] }
    if let size {
      guard (1...10_000).contains(size.columns), (1...10_000).contains(size.lines) else {
        throw Failure(.badUsage, "a size must be from 1 to 10000 columns and lines")
      }
      words += ["-x", "\(size.columns)", "-y", "\(size.lines)"]
    }
    if !command.isEmpty { words += ["--"] + command }
    return try TmuxCommand(tmux: tmux, [words])
  }

  /// Returns the given text, escaped so that tmux expands nothing in it.
  ///
  /// For example, `#(…)` would run a command.
  ///
  /// Every `#` is doubled, except before a `[`, where tmux does not expand it (format_expand1).
  private static func unexpanded(_ text: String) -> String {
    var result = ""
    var signs = 0
    for scalar in text.unicodeScalars {
      if scalar == "#" {
        signs += 1
        continue
      }
      result += String(repeating: "#", count: scalar == "[" ? signs : 2 * signs)
      signs = 0
      result.unicodeScalars.append(scalar)
    }
    return result + String(repeating: "#", count: 2 * signs)
  }

  /// Returns the command that attaches to a session over a channel with a terminal.
  ///
  /// The terminal must be higher than the window by the number of ``ListedTerminal/statusLines``.
  ///
  /// The command starts no server, does not resize the window unless requested, and does not change
  /// the session's environment.
  ///
  /// - Parameters:
  ///   - target: The session to attach to.
  ///   - takesInput: `true` to send typed keys to the session.
  ///   - resizes: `true` to resize the window to the terminal.
  ///   - hasTrueColor: `true` if the terminal shows 24-bit colours.
  ///   - tmux: The absolute path of tmux on the host; nil for the one in the PATH.
  /// - Returns: The command.
  /// - Throws: `BadUsage` if `tmux` is not an absolute path.
  public static func attach(
    _ target: TmuxTarget, takesInput: Bool = false, resizes: Bool = false,
    hasTrueColor: Bool = false, tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    let features = hasTrueColor ? ["-T", "RGB"] : []
    let flags = (takesInput ? [] : ["read-only"]) + (resizes ? [] : ["ignore-size"])
    let wanted = flags.isEmpty ? [] : ["-f", flags.joined(separator: ",")]
    return try TmuxCommand(
      tmux: tmux,
      [["-N"] + features + ["attach-session", "-E"] + wanted + ["-t", target.argument]])
  }

  /// Returns the command that follows a session's output over a channel without a terminal.
  ///
  /// ``TmuxControlParser`` reads the output.
  ///
  /// No bytes may be sent on that channel, because the read-only flag has no effect in control mode
  /// (tmux 3.3a).
  ///
  /// - Parameters:
  ///   - target: The session to follow.
  ///   - pauseAfter: The number of seconds after which tmux drops unread output and reports the
  ///     loss.
  ///   - tmux: The absolute path of tmux on the host; nil for the one in the PATH.
  /// - Returns: The command.
  /// - Throws: `BadUsage` if `tmux` is not an absolute path.
  public static func control(
    _ target: TmuxTarget, pauseAfter: Int = 2, tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    try TmuxCommand(
      tmux: tmux,
      [
        [
          "-N", "-C", "attach-session", "-E", "-f",
          "read-only,ignore-size,pause-after=\(max(1, pauseAfter))", "-t", target.argument,
        ]
      ], endsWithInput: true)
  }

  /// Returns the command that attaches to a session without output, until the channel is closed.
  ///
  /// If all clients of a session are in control mode and none reads its output, tmux stops reading
  /// from the session's programs, and they block (3.3a, `server_client_check_pane_buffer`). A
  /// client that requests no output counts as a reader.
  ///
  /// - Parameters:
  ///   - target: The session to attach to.
  ///   - tmux: The absolute path of tmux on the host; nil for the one in the PATH.
  /// - Returns: The command.
  /// - Throws: `BadUsage` if `tmux` is not an absolute path.
  public static func attachWithoutOutput(_ target: TmuxTarget, tmux: String? = nil) throws(Failure)
    -> TmuxCommand
  {
    try TmuxCommand(
      tmux: tmux,
      [
        [
          "-N", "-C", "attach-session", "-E", "-f", "read-only,ignore-size,no-output", "-t",
          target.argument,
        ]
      ], endsWithInput: true)
  }
}
