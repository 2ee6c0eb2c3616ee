public import Core

/// A command line that runs tmux on a host, complete for an SSH exec channel.
///
/// It sets `-u`, because such a channel has no locale and tmux would write `_` for `é`.
public struct TmuxCommand: Sendable, Hashable {
  /// The line for the host's login shell.
  public let line: String

  /// Builds the line.
  ///
  /// - Parameters:
  ///   - tmux: The program, by an absolute path; by default the `tmux` in the PATH that a login
  ///     shell sets for commands.
  ///   - words: The tmux commands, each as its words.
  ///   - endsWithInput: `true` if the end of the input ends the command.
  /// - Throws: `BadUsage` for another path, `BadInput` for control characters.
  init(tmux: String?, _ words: [[String]], endsWithInput: Bool = false) throws(Failure) {
    if let tmux {
      guard tmux.hasPrefix("/"), !tmux.hasSuffix("/") else {
        throw Failure(.badUsage, "'\(Visible.line(tmux))' is no absolute path of a program")
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

  /// A script for sh(1) that runs its arguments, exits as they do, and ends them five seconds after
  /// the end of the input.
  ///
  /// A client in control mode notices the end of a connection only by its input, and does not exit
  /// while it has output that nobody reads (tmux 3.3a, `control_all_done`). It would run forever,
  /// and the session's programs could block on it. Its input is a separate pipe, since tmux sets
  /// its input to non-blocking: an empty line on that pipe detaches the client, and a write to a
  /// client that has ended kills the writer.
  ///
  /// If a client dies silently, everything must end: some shells (dash) wait for whole pipelines,
  /// and the reader of the input would live as long. So the pipe first carries the process IDs of
  /// those readers.
  private static let guarding =
    #"exec 3<&0; trap 'kill "$t" 2>/dev/null' TERM; "#
    + #"{ cat <&3 & sh -c 'echo "$PPID $1"' sh "$!"; exec </dev/null 3<&-; wait "$!"; "#
    + #"echo && sleep 5 && echo && kill "$$"; } 2>/dev/null "#
    + #"| { trap 'kill "$t" 2>/dev/null' TERM; read -r f c; exec 4<&0; "$@" <&4 3<&- 4<&- & t=$!; "#
    + #"exec </dev/null 2>/dev/null 3<&- 4<&-; wait "$t"; s=$?; kill "$f" "$c"; exit "$s"; } "#
    + #"& t=$!; exec 2>/dev/null 3<&-; wait "$t""#

  /// Returns a word in which tmux does not see the end of a command (cmd_parse_from_arguments).
  private static func escaped(_ word: String) -> String {
    word.hasSuffix(";") ? "\(word.dropLast())\\;" : word
  }

  /// Lists the sessions, for ``TerminalListing`` to read.
  public static func list(tmux: String? = nil) throws(Failure) -> TmuxCommand {
    try TmuxCommand(tmux: tmux, [["list-sessions", "-F", TerminalListing.format]])
  }

  /// Checks by its exit status that a session exists.
  public static func has(_ target: TmuxTarget, tmux: String? = nil) throws(Failure) -> TmuxCommand {
    try TmuxCommand(tmux: tmux, [["has-session", "-t", target.argument]])
  }

  /// Ends a session and everything that runs in it.
  public static func kill(
    _ target: TmuxTarget, tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    try TmuxCommand(tmux: tmux, [["kill-session", "-t", target.argument]])
  }

  /// Creates a detached session and prints its line of the listing.
  ///
  /// - Parameters:
  ///   - name: The session's name.
  ///   - path: The initial folder; by default the user's home.
  ///   - size: The columns and lines of the window; by default tmux's own choice.
  ///   - command: The program of the session: one word is a line for the host's shell, several are
  ///     a program and its arguments, none is a shell.
  ///   - tmux: The program, by an absolute path.
  /// - Returns: The command.
  /// - Throws: `BadInput` for a name that tmux would change, and for control characters.
  public static func create(
    _ name: String, path: String? = nil, size: (columns: Int, lines: Int)? = nil,
    command: [String] = [], tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    // tmux replaces ':' and '.' by '_' and doubles a backslash, which would change the name. A name
    // that begins with '$' would be read as an ID.
    guard !name.isEmpty, !name.hasPrefix("$"), !name.contains(where: { ":.\\".contains($0) }) else {
      throw Failure(
        .badInput,
        "a tmux session cannot be called '\(Visible.line(name))': ':', '.' and '\\' are not for "
          + "names, '$' does not begin one")
    }
    // A name that a client or a pattern could match would not find the session again.
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
        throw Failure(.badUsage, "a size is from 1 to 10000 columns and lines")
      }
      words += ["-x", "\(size.columns)", "-y", "\(size.lines)"]
    }
    if !command.isEmpty { words += ["--"] + command }
    return try TmuxCommand(tmux: tmux, [words])
  }

  /// Returns a text in which tmux expands nothing: it would run `#(…)`.
  ///
  /// Every `#` is doubled, except those before a `[`, which tmux leaves alone (format_expand1).
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

  /// Attaches to a session over a channel with a terminal, whose size must be the window's plus the
  /// status lines: see ``ListedTerminal/statusLines``.
  ///
  /// The command starts no server, does not resize, and leaves the session's environment alone.
  ///
  /// - Parameters:
  ///   - target: The session.
  ///   - takesInput: `true` if keys may reach the session.
  ///   - resizes: `true` if the window takes this terminal's size.
  ///   - hasTrueColor: `true` if the terminal shows 24-bit colours, which its name does not say.
  ///   - tmux: The program, by an absolute path.
  /// - Returns: The command.
  /// - Throws: `BadUsage` for another path.
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

  /// Follows a session's output over a channel without a terminal, for ``TmuxControlParser`` to
  /// read.
  ///
  /// No byte may be sent on that channel: the read-only flag is no protection in control mode (tmux
  /// 3.3a).
  ///
  /// - Parameters:
  ///   - target: The session.
  ///   - pauseAfter: The number of seconds after which tmux drops unread output and reports the
  ///     loss.
  ///   - tmux: The program, by an absolute path.
  /// - Returns: The command.
  /// - Throws: `BadUsage` for another path.
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

  /// Attaches in control mode without any output, as long as the channel is open.
  ///
  /// If all clients of a session are in control mode and none reads its output, tmux no longer
  /// reads from the session's programs, and they stop (3.3a, `server_client_check_pane_buffer`). A
  /// client that wants no output counts as a reader.
  ///
  /// - Parameters:
  ///   - target: The session.
  ///   - tmux: The program, by an absolute path.
  /// - Returns: The command.
  /// - Throws: `BadUsage` for another path.
  public static func keep(_ target: TmuxTarget, tmux: String? = nil) throws(Failure) -> TmuxCommand
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
