public import Core

/// What a ``TmuxCommand`` came to on a host, and what that means.
public struct TmuxAnswer: Sendable {
  /// The exit status of the command; nothing when the host told none.
  public var status: Int32?
  /// What it printed.
  public var output: [UInt8]
  /// What it, and the login shell around it, printed as errors.
  public var errors: [UInt8]

  /// Creates the answer.
  public init(status: Int32?, output: [UInt8], errors: [UInt8]) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  /// The sessions that ``TmuxCommand/list(tmux:)`` told of; none where no tmux server runs.
  ///
  /// - Throws: `TmuxNotFound`, `InvalidResponse`, or what ``check(_:on:)`` throws.
  public func sessions(
    host: String, port: Int? = nil, user: String? = nil, authMode: String? = nil
  ) throws(Failure) -> [ListedTerminal] {
    if status == 1, hasNoServer { return [] }
    try check(nil, on: host)
    return try TerminalListing.read(
      output, host: host, port: port, user: user, authMode: authMode)
  }

  /// The session that ``TmuxCommand/create(_:path:size:command:tmux:)`` made.
  ///
  /// - Throws: `Conflict` where there is one of that name, `InvalidResponse`, or what
  ///   ``check(_:on:)`` throws.
  public func created(
    host: String, port: Int? = nil, user: String? = nil, authMode: String? = nil
  ) throws(Failure) -> ListedTerminal {
    try check(nil, on: host)
    let listed = try TerminalListing.read(
      output, host: host, port: port, user: user, authMode: authMode, isWhole: false)
    guard let session = listed.first, listed.count == 1 else {
      throw Failure(.invalidResponse, "tmux on '\(host)' did not name the session that it created")
    }
    return session
  }

  /// Whether there is the session that ``TmuxCommand/has(_:tmux:)`` asked for.
  ///
  /// - Throws: What ``check(_:on:)`` throws, but `TmuxSessionNotFound`.
  public func exists(on host: String) throws(Failure) -> Bool {
    // A server that is just ending says nothing.
    if status == 1, output.isEmpty, errors.isEmpty { return false }
    do throws(Failure) {
      try check(nil, on: host)
      return true
    } catch {
      guard error.code == .tmuxSessionNotFound else { throw error }
      return false
    }
  }

  /// Nothing when the command went well.
  ///
  /// - Parameters:
  ///   - target: The session that it was about.
  ///   - host: The machine, for the sentence.
  /// - Throws: `TmuxNotFound`, `TmuxSessionNotFound`, `Conflict` for a name that is taken,
  ///   `ProtocolMismatch` for a tmux that is too old, `TerminalInitFailed`, `StreamInterrupted` where
  ///   no exit status came, and `ServerError` for all else.
  public func check(_ target: TmuxTarget?, on host: String) throws(Failure) {
    guard status != 0 else { return }
    throw failure(target, on: host)
  }

  /// The failure that a status other than 0 stands for.
  private func failure(_ target: TmuxTarget?, on host: String) -> Failure {
    let host = "'\(Visible.line(host))'"
    let session = target.map { "session '\(Visible.line($0.name))'" } ?? "such session"
    guard let status else {
      return Failure(
        .streamInterrupted, "tmux on \(host) ended without an exit status", cause: cause)
    }
    // tmux says so itself; where it stands last, it was not a login shell that wrote it.
    if hasNoServer || says("can't find session: ") || says("no sessions") {
      return Failure(.tmuxSessionNotFound, "there is no tmux \(session) on \(host)", cause: cause)
    }
    if says("can't find pane: ") || says("can't find window: ") {
      return Failure(.tmuxSessionNotFound, "there is no tmux \(session) on \(host)", cause: cause)
    }
    if says("duplicate session: ") {
      return Failure(
        .conflict, "a tmux session with this name already exists on \(host)", cause: cause)
    }
    if says("open terminal failed: ") || says("missing or unsuitable terminal: ") {
      return Failure(
        .terminalInitFailed, "tmux on \(host) cannot use the terminal: \(cause ?? "")",
        cause: cause)
    }
    if isTooOld {
      return Failure(
        .protocolMismatch, "tmux on \(host) is older than 3.2, or its server has another version",
        cause: cause)
    }
    // csh ends with 1 when it finds no command.
    if status == 127 || status == 1 && lines.last?.hasSuffix("ommand not found.") == true {
      return Failure(.tmuxNotFound, "there is no tmux on \(host)", cause: cause)
    }
    if status == 126 {
      return Failure(
        .tmuxNotFound, "cannot run tmux on \(host)", kind: .notExecutable, cause: cause)
    }
    return Failure(
      .serverError,
      "tmux on \(host) failed with status \(status)"
        + (cause.map { ": \($0)" } ?? ""), cause: cause)
  }

  private var isTooOld: Bool {
    says("protocol version mismatch") || says("server version is too old")
      || says("usage: ") || says("unknown option -- ") || says("tmux: unknown option")
      || lines.contains { $0.hasPrefix("command ") && $0.contains(": unknown flag -") }
  }

  /// Whether no tmux server runs, as tmux says it where it starts none, or where one just ends: it has
  /// no session any more that a target could be looked for from.
  private var hasNoServer: Bool {
    says("no server running on ") || says("server exited") || says("no current target")
      || lines.contains {
        $0.hasPrefix("error connecting to ") && $0.hasSuffix(" (No such file or directory)")
      }
  }

  /// Whether a line of the errors begins so.
  private func says(_ start: String) -> Bool { lines.contains { $0.hasPrefix(start) } }

  /// The errors' last lines: a login shell has its say before tmux has.
  private var lines: [String] {
    String(decoding: errors.suffix(4096), as: UTF8.self)
      .split(whereSeparator: \.isNewline).suffix(8).map(String.init)
  }

  /// The last line that was said, in one that is safe to show.
  private var cause: String? {
    lines.last { !$0.allSatisfy(\.isWhitespace) }.map { Visible.line(String($0.prefix(500))) }
  }
}
