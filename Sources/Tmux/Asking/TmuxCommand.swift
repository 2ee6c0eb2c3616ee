public import Core

/// A command line that runs tmux on a host, as an SSH exec channel takes it: nothing is added to it.
///
/// `-u`, because over such a channel there is no locale and tmux would write `_` for `é`.
public struct TmuxCommand: Sendable, Hashable {
  /// The line for the host's login shell.
  public let line: String

  /// Puts a line together.
  ///
  /// - Parameters:
  ///   - tmux: The program, by an absolute path; by default the one in the PATH that a login shell sets
  ///     for commands.
  ///   - words: The commands it is told, each in its words.
  ///   - endsWithInput: Whether it is ended when its input ends.
  /// - Throws: `BadUsage` for another path, `BadInput` for control characters.
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

  /// A script for sh(1) that runs its arguments and ends as they do, and ends them five seconds after the
  /// input has ended.
  ///
  /// A client in control mode is told of the end of a connection by that alone, and does not end while
  /// there is output that nobody takes any more (tmux 3.3a, `control_all_done`): it would look on for
  /// ever, and the session's programs could wait for it. It has a pipe of its own for its input, since
  /// tmux reads that without blocking: an empty line there detaches it, and to one that has ended it ends
  /// whoever writes it.
  ///
  /// A client that dies without a word ends all of it: a shell waits for whole pipelines (dash), and what
  /// waits for the input would go on for as long as that does. So the pipe tells first who those are.
  private static let guarding =
    #"exec 3<&0; trap 'kill "$t" 2>/dev/null' TERM; "#
    + #"{ cat <&3 & sh -c 'echo "$PPID $1"' sh "$!"; exec </dev/null 3<&-; wait "$!"; "#
    + #"echo && sleep 5 && echo && kill "$$"; } 2>/dev/null "#
    + #"| { trap 'kill "$t" 2>/dev/null' TERM; read -r f c; exec 4<&0; "$@" <&4 3<&- 4<&- & t=$!; "#
    + #"exec </dev/null 2>/dev/null 3<&- 4<&-; wait "$t"; s=$?; kill "$f" "$c"; exit "$s"; } "#
    + #"& t=$!; exec 2>/dev/null 3<&-; wait "$t""#

  /// A word that tmux does not take the end of a command from (cmd_parse_from_arguments).
  private static func escaped(_ word: String) -> String {
    word.hasSuffix(";") ? "\(word.dropLast())\\;" : word
  }

  /// Lists the sessions: ``TerminalListing`` reads the answer.
  public static func list(tmux: String? = nil) throws(Failure) -> TmuxCommand {
    try TmuxCommand(tmux: tmux, [["list-sessions", "-F", TerminalListing.format]])
  }

  /// Asks whether there is such a session: the exit status tells.
  public static func has(_ target: TmuxTarget, tmux: String? = nil) throws(Failure) -> TmuxCommand {
    try TmuxCommand(tmux: tmux, [["has-session", "-t", target.argument]])
  }

  /// Ends a session and everything that runs in it.
  public static func kill(
    _ target: TmuxTarget, tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    try TmuxCommand(tmux: tmux, [["kill-session", "-t", target.argument]])
  }

  /// Makes a session without looking at it; its line of the listing is the answer.
  ///
  /// - Parameters:
  ///   - name: What it is to be called.
  ///   - path: The folder it begins in; the user's home otherwise.
  ///   - size: The columns and lines of its window; tmux's own choice otherwise.
  ///   - command: What runs in it: one word is a line for the host's shell, several are a program and
  ///     its arguments; none is a shell.
  ///   - tmux: The program, by an absolute path.
  /// - Returns: The command.
  /// - Throws: `BadInput` for a name that tmux would change, and for control characters.
  public static func create(
    _ name: String, path: String? = nil, size: (columns: Int, lines: Int)? = nil,
    command: [String] = [], tmux: String? = nil
  ) throws(Failure) -> TmuxCommand {
    // tmux makes ':' and '.' into '_' and doubles a backslash: the session would have another name.
    // What begins with '$' is an id wherever a session is named.
    guard !name.isEmpty, !name.hasPrefix("$"), !name.contains(where: { ":.\\".contains($0) }) else {
      throw Failure(
        .badInput,
        "a tmux session cannot be named '\(Visible.line(name))': it must not contain ':', '.' or '\\', "
          + "or begin with '$'")
    }
    // And it is found again only by a name that is no other thing's.
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

  /// A text in which tmux expands nothing: it would run `#(…)`.
  ///
  /// Every `#` is doubled, but for those before a `[`, which tmux leaves alone (format_expand1).
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

  /// Looks at a session over a channel with a terminal, whose size must be the window's and the
  /// status lines': see ``ListedTerminal/statusLines``.
  ///
  /// Starts no server where none runs, does not resize, and leaves the session's environment alone.
  ///
  /// - Parameters:
  ///   - target: The session.
  ///   - takesInput: Whether keys may reach it.
  ///   - resizes: Whether the window takes this terminal's size.
  ///   - hasTrueColor: Whether the terminal shows colours of 24 bits, which its name does not tell.
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

  /// Follows a session's output over a channel without a terminal: ``TmuxControlParser`` reads it.
  ///
  /// No byte may be sent on that channel: read-only is no wall in control mode (tmux 3.3a).
  ///
  /// - Parameters:
  ///   - target: The session.
  ///   - pauseAfter: Output that waited so many seconds for its reader is dropped, and said to be.
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

  /// Attaches in control mode without any output, for as long as the channel is open.
  ///
  /// While all clients of a session are in control mode and none takes its output, tmux no longer
  /// reads from its programs, and they stop (3.3a, `server_client_check_pane_buffer`). One that wants
  /// no output counts as one that takes it.
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
