public import Core

/// What tmux is asked of its sessions, and how its answer is read: for this machine and for others.
public enum TerminalListing {
  /// The format for `list-sessions -F` and `new-session -P -F` (tmux(1), FORMATS).
  ///
  /// A marker, numbers and words, then the lengths in bytes of the texts that follow, which may hold
  /// anything: a line feed in a path ends no record. One line a session.
  public static let format =
    marker + "#{session_windows} #{session_attached} #{session_created} #{session_activity} "
    + "#{window_width} #{window_height} #{server_sessions} #{status} #{window_id} #{pane_id} "
    + "#{n:session_id} #{n:session_name} #{n:session_path} "
    + "#{session_id}#{session_name}#{session_path}"

  /// The longest answer that is read.
  public static let maximumBytes = 16 << 20
  /// The most sessions that are read.
  public static let maximumSessions = 10_000

  private static let marker = "agentpipes-session/1 "

  /// Reads what tmux printed.
  ///
  /// - Parameters:
  ///   - output: What it printed, and before it what a login shell did.
  ///   - host: The machine it is on.
  ///   - port: The port of that machine's SSH server.
  ///   - user: Whose sessions these are.
  ///   - authMode: How one was let in.
  ///   - isWhole: Whether these are all sessions there are, as `list-sessions` tells them.
  /// - Returns: The sessions, by name.
  /// - Throws: `InvalidResponse` for what cannot be read, is cut short or is too much.
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
    // Only what comes before the first session can be another program's.
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
    // Before 3.1 tmux did not tell how many there are.
    count = Int(total) ?? 0
    let session = TerminalSession(
      id: id, name: name, host: host, port: port, user: user, authMode: authMode,
      windows: windows, attached: attached, createdAt: instant(created),
      activityAt: instant(activity), path: path, width: width, height: height)
    return ListedTerminal(
      session: session, statusLines: lines(status), window: window, pane: pane)
  }

  /// The path and the end of its line.
  ///
  /// tmux 3.4 and 3.5 print control characters longer than they count them, as `\033` for one byte:
  /// then the path ends where the next session begins.
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

  /// Whether a text is a number after the sign that tmux gives such ids.
  public static func isID(_ text: String, _ sign: Character) -> Bool {
    text.first == sign && (2...11).contains(text.utf8.count)
      && text.dropFirst().utf8.allSatisfy { $0.isDigit }
  }

  /// How many lines the value of tmux's option `status` takes.
  private static func lines(_ status: String) -> Int {
    switch status {
    case "off": 0
    case "2", "3", "4", "5": Int(status) ?? 1
    default: 1
    }
  }

  /// An instant that tmux tells in seconds.
  private static func instant(_ seconds: Int) -> Timestamp {
    Timestamp(milliseconds: Int64(min(seconds, 1 << 40)) * 1000)
  }
}
