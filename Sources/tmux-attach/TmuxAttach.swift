import ArgumentParser
import Command
import Core
import Foundation
import Remote
import Watching

@main
struct TmuxAttach: ToolGroup {
  static let configuration = toolConfiguration(
    "tmux-attach", abstract: "See a remote tmux session, read-only",
    discussion: """
      Examples:
        tmux-attach build@box agent-7
        tmux-attach list build@box | jq -r .name
        tmux-attach create build@box agent-7
        tmux-attach watch build@box agent-7 | jq -j '.data // empty'
        tmux-attach key generate laptop
      """,
    subcommands: [
      AttachSession.self, ListSessions.self, CreateSession.self, KillSession.self,
      WatchSession.self, SnapshotSession.self, TrustHost.self, KeyCommands.self,
    ], usual: AttachSession.self)

  static let handledSignals = [SIGWINCH]
}

struct AttachSession: Tool {
  static let configuration = verbConfiguration("attach", abstract: "Show a session on the terminal")

  @OptionGroup var operands: SessionOperands
  @OptionGroup var remote: RemoteOptions
  @Flag(help: "Send keystrokes to the session; Ctrl-] leaves.")
  var enableInput = false
  @Flag(help: "Resize the session's window to this terminal.")
  var fit = false
  @Option(
    help: ArgumentHelp("Print this many lines of scrollback.", valueName: "lines"))
  var history = 0
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var again: ReconnectOptions
  @OptionGroup var common: CommonOptions

  /// Returns `false` because stdout shows the screen.
  static func writesRecords(given arguments: [String]) -> Bool { false }

  func validate() throws {
    guard history >= 0 else { throw ValidationError("--history must not be negative.") }
    guard operands.here == nil || !(enableInput || fit || history > 0) else {
      throw ValidationError(
        "--enable-input, --fit and --history need a host: use 'tmux attach' on this machine.")
    }
  }

  func run(_ session: Session) async throws(Failure) {
    let settings = try session.configuration().terminal
    let wishes = try wishes(session.environment, settings)
    let place = try await session.place(operands)
    if !(enableInput || fit || history > 0), place.host == nil {
      return try show(place.session, session)
    }
    var hasNews = false
    let reach = try session.reach(place.host ?? "localhost", remote) { hasNews = true }
    let terminal = try LocalTerminal(takesInput: enableInput)
    if wishes.areConfirmed(settings) { try Confirmation(session).runCommand() }
    let attachment = Attachment(
      to: place.session, on: reach.host, wishes: wishes, terminal: terminal,
      signals: try signals(of: terminal, session), hasNews: { hasNews })
    defer {
      terminal.leave()
      if common.timings {
        session.diagnostics.report("sent \(attachment.sentBytes) bytes of input")
      }
    }
    try attachment.run(reach, patience: again.reconnect.value)
  }

  /// Shows the tmux session with the given name on this machine.
  private func show(_ name: String, _ session: Session) throws(Failure) {
    let terminal = try LocalTerminal(takesInput: false)
    try session.confirmLooking()
    let own = try LocalSession(named: name, tmux: tmux.tmuxPath) { (command) throws(Failure) in
      try LocalTerminals.run(command, session.environment)
    }
    defer { terminal.leave() }
    try own.show(
      on: terminal, signals: try signals(of: terminal, session),
      interruption: session.interruption)
  }

  /// Starts forwarding signals to the terminal.
  private func signals(
    of terminal: LocalTerminal, _ session: Session
  ) throws(Failure) -> TerminalSignals {
    let signals = try TerminalSignals()
    session.signals.listen(to: [SIGWINCH, SIGTSTP]) { signals.receive($0) }
    session.signals.beforeSuddenEnd { terminal.restoreImmediately() }
    return signals
  }

  private func wishes(
    _ environment: [String: String], _ settings: Settings.TerminalSettings
  ) throws(Failure) -> Attachment.Wishes {
    var wishes = Attachment.Wishes()
    wishes.takesInput = enableInput
    wishes.fits = fit
    wishes.history = history
    wishes.hasTrueColor = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    wishes.tmux = tmux.tmuxPath
    try wishes.check(settings)
    return wishes
  }
}
