public import Core

/// The answer of a host to a ``TmuxCommand``.
public struct TmuxAnswer: Sendable {
  /// The command's exit status; nil if the host reported none.
  public var status: Int32?
  /// The command's output.
  public var output: [UInt8]
  /// The bytes that the command, and the login shell around it, wrote to standard error.
  public var errors: [UInt8]

  /// Creates the answer.
  public init(status: Int32?, output: [UInt8], errors: [UInt8]) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  /// Returns the sessions that ``TmuxCommand/list(tmux:)`` printed; empty if no tmux server runs.
  ///
  /// - Throws: `InvalidResponse` if the output cannot be parsed; the errors of ``check(_:on:)``.
  public func sessions(
    host: String, port: Int? = nil, user: String? = nil, authMode: String? = nil
  ) throws(Failure) -> [ListedTerminal] {
    if status == 1, hasNoServer { return [] }
    try check(nil, on: host)
    return try TerminalListing.read(
      output, host: host, port: port, user: user, authMode: authMode)
  }

  /// Returns the session that ``TmuxCommand/create(_:path:size:command:tmux:)`` created.
  ///
  /// - Throws: `InvalidResponse` if the output cannot be parsed; the errors of ``check(_:on:)``.
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

  /// Returns `true` if the session that ``TmuxCommand/has(_:tmux:)`` checked exists.
  ///
  /// - Throws: The errors of ``check(_:on:)`` except `TmuxSessionNotFound`.
  public func exists(on host: String) throws(Failure) -> Bool {
    // A server that is about to exit prints nothing.
    if status == 1, output.isEmpty, errors.isEmpty { return false }
    do throws(Failure) {
      try check(nil, on: host)
      return true
    } catch {
      guard error.code == .tmuxSessionNotFound else { throw error }
      return false
    }
  }

  /// Throws the failure that the exit status indicates, unless that is 0.
  ///
  /// - Parameters:
  ///   - target: The session that the command acts on.
  ///   - host: The host's name, for the message.
  /// - Throws: `TmuxNotFound` if the host has no tmux; `TmuxSessionNotFound` if it has no such
  ///   session; `Conflict` if the session's name is taken; `ProtocolMismatch` if tmux is too old;
  ///   `TerminalInitFailed` if tmux cannot open a terminal; `StreamInterrupted` if no exit status
  ///   arrived; `ServerError` otherwise.
  public func check(_ target: TmuxTarget?, on host: String) throws(Failure) {
    guard status != 0 else { return }
    throw failure(target, on: host)
  }

  /// Returns the failure that a nonzero exit status indicates.
  private func failure(_ target: TmuxTarget?, on host: String) -> Failure {
    let host = "'\(Visible.line(host))'"
    let session = target.map { "session '\(Visible.line($0.name))'" } ?? "such session"
    guard let status else {
      return Failure(
        .streamInterrupted, "tmux on \(host) ended without an exit status", cause: cause)
    }
    // tmux prints these messages; a login shell cannot have printed the last line.
    if hasNoServer || reports("can't find session: ") || reports("no sessions") {
      return Failure(.tmuxSessionNotFound, "there is no tmux \(session) on \(host)", cause: cause)
    }
    if reports("can't find pane: ") || reports("can't find window: ") {
      return Failure(.tmuxSessionNotFound, "there is no tmux \(session) on \(host)", cause: cause)
    }
    if reports("duplicate session: ") {
      return Failure(
        .conflict, "a tmux session with this name already exists on \(host)", cause: cause)
    }
    if reports("open terminal failed: ") || reports("missing or unsuitable terminal: ") {
      return Failure(
        .terminalInitFailed, "tmux on \(host) cannot use the terminal: \(cause ?? "")",
        cause: cause)
    }
    if isTooOld {
      return Failure(
        .protocolMismatch, "tmux on \(host) is older than 3.2, or its server has another version",
        cause: cause)
    }
    // csh exits with 1 if it finds no command.
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
    reports("protocol version mismatch") || reports("server version is too old")
      || reports("usage: ") || reports("unknown option -- ") || reports("tmux: unknown option")
      || lines.contains { $0.hasPrefix("command ") && $0.contains(": unknown flag -") }
  }

  /// `true` if the error output shows that no tmux server runs, or that the server is about to
  /// exit.
  private var hasNoServer: Bool {
    reports("no server running on ") || reports("server exited") || reports("no current target")
      || lines.contains {
        $0.hasPrefix("error connecting to ") && $0.hasSuffix(" (No such file or directory)")
      }
  }

  /// Returns `true` if one of the last error lines begins with the given text.
  private func reports(_ start: String) -> Bool { lines.contains { $0.hasPrefix(start) } }

  /// The last lines of the error output.
  ///
  /// A login shell may print lines before tmux does.
  private var lines: [String] {
    String(decoding: errors.suffix(4096), as: UTF8.self)
      .split(whereSeparator: \.isNewline).suffix(8).map(String.init)
  }

  /// The last error line that is not blank, with control characters made visible.
  private var cause: String? {
    lines.last { !$0.allSatisfy(\.isWhitespace) }.map { Visible.line(String($0.prefix(500))) }
  }
}
