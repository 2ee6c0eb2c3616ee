import ArgumentParser
import Command
import Core
import Foundation
import Remote

@main
struct TmuxAttach: ToolGroup {
  static let configuration = toolConfiguration(
    "tmux-attach", abstract: "See a remote tmux session, read-only",
    discussion: """
      Examples:
        tmux-attach list build@box | jq -r .name
        tmux-attach build@box agent-7
        tmux-attach watch build@box agent-7 | jq -j '.data // empty'
        tmux-attach key generate laptop
      """,
    subcommands: [
      AttachTerminal.self, ListTerminals.self, CreateTerminal.self, KillTerminal.self,
      WatchTerminal.self, SnapshotTerminal.self, TrustHost.self, KeyCommands.self,
    ], usual: AttachTerminal.self)

  static let takenSignals = [SIGWINCH]
}

struct AttachTerminal: Tool {
  static let configuration = verbConfiguration("attach", abstract: "Show a session on the terminal")

  @OptionGroup var operands: SessionOperands
  @OptionGroup var remote: RemoteOptions
  @Flag(help: "Send what is typed to the session; Ctrl-] leaves it.")
  var enableInput = false
  @Flag(help: "Give the session's window the size of this terminal.")
  var fit = false
  @Option(
    help: ArgumentHelp("Leave so many lines above the screen to scroll to.", valueName: "lines"))
  var history = 0
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var again: ReconnectOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard history >= 0 else { throw ValidationError("--history must not be negative.") }
  }

  func run(_ session: Session) throws(Failure) {
    let configuration = try session.configuration()
    if enableInput, !configuration.terminal.allowsInput {
      throw Failure(
        .permissionDenied, "the configuration forbids input to terminals ('terminal.input')",
        kind: "inputForbidden")
    }
    let place = try session.place(operands)
    let reach = try session.reach(place.host, remote)
    let terminal = try LocalTerminal(takesInput: enableInput)
    if enableInput || configuration.terminal.confirmsLooking {
      try Confirmation(session).runCommand()
    }
    var wishes = Attachment.Wishes()
    wishes.takesInput = enableInput
    wishes.fits = fit
    wishes.history = history
    wishes.hasTrueColor = ["truecolor", "24bit"].contains(session.environment["COLORTERM"] ?? "")
    wishes.tmux = tmux.tmuxPath
    let signals = try TerminalSignals()
    session.signals.listen(to: [SIGWINCH, SIGTSTP]) { signals.take($0) }
    session.signals.beforeSuddenEnd { terminal.giveBackAtOnce() }
    let attachment = Attachment(place.session, on: reach.host, wishes, terminal, signals)
    defer {
      terminal.leave()
      if common.timings { session.diagnostics.say("sent \(attachment.sentBytes) bytes of input") }
    }
    let reconnection = Reconnection(
      patience: again.reconnect.value, interruption: session.interruption
    ) { () throws(Failure) in try reach.connect() }
    try reconnection.run(lost: { attachment.tellLost($0) }) { (connection, _) throws(Failure) in
      try attachment.run(connection)
    }
  }
}
