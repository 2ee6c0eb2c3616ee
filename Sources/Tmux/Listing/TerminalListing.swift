public import Core

/// The format of tmux's session list, and its parser.
public enum TerminalListing {
  /// The format for `list-sessions -F` and `new-session -P -F` (tmux(1), FORMATS).
  ///
  /// Each session has one line. It begins with a marker, numbers and words. Then follow the byte
  /// lengths of the texts, and the texts themselves. A text may therefore contain any character,
  /// even a line feed.
  public static let format =
    marker + "#{session_windows} #{session_attached} #{session_created} #{session_activity} "
    + "#{window_width} #{window_height} #{server_sessions} #{status} #{window_id} #{pane_id} "
    + "#{n:session_id} #{n:session_name} #{n:session_path} "
    + "#{session_id}#{session_name}#{session_path}"

  /// The maximum size of the output, in bytes.
  public static let maximumBytes = 16 << 20
  /// The maximum number of sessions that are read.
  public static let maximumSessions = 10_000

  private static let marker = "agentpipes-session/1 "

  /// Parses the given output of tmux.
  ///
  /// - Parameters:
  ///   - output: The output of tmux. Output of a login shell may precede it.
  ///   - host: The name of the sessions' host.
  ///   - port: The port of that host's SSH server.
  ///   - user: The owner of the sessions.
  ///   - authMode: The authentication method with which the host was reached.
  ///   - isWhole: `true` if `list-sessions` printed the output, so that it has all sessions.
  /// - Returns: The sessions, sorted by name.
  /// - Throws: `InvalidResponse` if the output cannot be parsed, is cut off or is too long.
  public static func read(
    _ output: [UInt8], host: String, port: Int? = nil, user: String? = nil,
    authMode: String? = nil, isWhole: Bool = true
  ) throws(Failure) -> [ListedTerminal] {
    guard output.count <= maximumBytes else {
      throw Failure(.invalidResponse, "the session list of tmux is larger than 16 MiB")
    }
    guard var reader = FieldReader(output[...], after: marker) else { return [] }
    var listed: [ListedTerminal] = []
    var count = 0
    repeat {
      guard listed.count < maximumSessions else {
        throw Failure(.invalidResponse, "tmux has more than \(maximumSessions) sessions")
      }
      guard
        let next = next(&reader, &count, host: host, port: port, user: user, authMode: authMode)
      else {
        throw Failure(.invalidResponse, "the session list of tmux has an unknown format")
      }
      listed.append(next)
    } while reader.skip(marker)
    // Another program's output can only precede the first session.
    guard reader.rest.isEmpty else {
      throw Failure(.invalidResponse, "the session list of tmux has an unknown format")
    }
    guard !isWhole || count == 0 || count == listed.count else {
      throw Failure(
        .invalidResponse, "tmux listed only \(listed.count) of its \(count) sessions"
      )
    }
    return listed.sorted { $0.session.name < $1.session.name }
  }

  private static func next(
    _ reader: inout FieldReader, _ count: inout Int, host: String, port: Int?, user: String?,
    authMode: String?
  ) -> ListedTerminal? {
    guard let windows = reader.number(), let attached = reader.number(),
      let created = reader.number(), let activity = reader.number(), let width = reader.number(),
      let height = reader.number(), let total = reader.word(), let status = reader.word(),
      let window = reader.word(), let pane = reader.word(), let idLength = reader.number(),
      let nameLength = reader.number(), let pathLength = reader.number(),
      let id = reader.text(idLength), let name = reader.text(nameLength), isID(id, "$"),
      isID(window, "@"), isID(pane, "%"), !name.isEmpty,
      let path = path(&reader, pathLength)
    else { return nil }
    // tmux before 3.1 does not report the number of sessions.
    count = Int(total) ?? 0
    let session = TerminalSession(
      id: id, name: name, host: host, port: port, user: user, authMode: authMode,
      windows: windows, attached: attached, createdAt: instant(created),
      activityAt: instant(activity), path: path, width: width, height: height)
    return ListedTerminal(
      session: session, statusLines: lines(status), window: window, pane: pane)
  }

  /// Reads the path at the end of a session's line, and the line feed after it.
  ///
  /// tmux 3.4 and 3.5 print a control character as an escape such as `\033`, but count it as one
  /// byte. In that case, the path ends where the next session begins.
  private static func path(_ reader: inout FieldReader, _ length: Int) -> String? {
    var exact = reader
    if let text = exact.text(length), exact.skip("\n"),
      exact.rest.isEmpty || exact.rest.starts(with: marker.utf8)
    {
      reader = exact
      return text
    }
    var end = reader.count(before: "\n" + marker)
    if end == reader.rest.count { end -= 1 }
    guard let text = reader.text(end), reader.skip("\n") else { return nil }
    let escapes = text.utf8.count { $0 == UInt8(ascii: "\\") }
    guard end > length, end - length <= 3 * escapes else { return nil }
    return text
  }

  /// Returns `true` if the given text is an ID: `sign` followed by a number.
  public static func isID(_ text: String, _ sign: Character) -> Bool {
    text.first == sign && (2...11).contains(text.utf8.count)
      && text.dropFirst().utf8.allSatisfy { $0.isDigit }
  }

  /// Returns the number of status lines for the given value of tmux's option `status`.
  private static func lines(_ status: String) -> Int {
    switch status {
    case "off": 0
    case "2", "3", "4", "5": Int(status) ?? 1
    default: 1
    }
  }

  /// Returns the time that is the given number of seconds after the start of 1970.
  private static func instant(_ seconds: Int) -> Timestamp {
    Timestamp(milliseconds: Int64(min(seconds, 1 << 40)) * 1000)
  }
}
