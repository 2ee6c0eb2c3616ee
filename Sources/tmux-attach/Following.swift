import ArgumentParser
import Command
import Core
import Remote

struct WatchTerminal: Tool {
  static let configuration = verbConfiguration(
    "watch", abstract: "Follow a session's output as records")

  @OptionGroup var operands: SessionOperands
  @OptionGroup var remote: RemoteOptions
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var again: ReconnectOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let (target, reach) = try session.look(at: operands, remote)
    let watch = TerminalWatch(target, on: reach.host, tmux: tmux.tmuxPath) {
      (record) throws(Failure) in try session.output.write(record)
    }
    let reconnection = Reconnection(
      patience: again.reconnect.value, interruption: session.interruption
    ) { () throws(Failure) in try reach.connect() }
    try reconnection.run(lost: { session.diagnostics.say("\($0.explanation): trying again") }) {
      (connection, again) throws(Failure) in try watch.run(connection, again: again)
    }
  }
}

struct SnapshotTerminal: Tool {
  static let configuration = verbConfiguration(
    "snapshot", abstract: "Tell what a session's screen shows now")

  @OptionGroup var operands: SessionOperands
  @OptionGroup var remote: RemoteOptions
  @Flag(help: "Keep colours and attributes, as escape codes.")
  var escapes = false
  @Option(help: ArgumentHelp("Take so many lines above the screen too.", valueName: "lines"))
  var history = 0
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard history >= 0 else { throw ValidationError("--history must not be negative.") }
  }

  func run(_ session: Session) throws(Failure) {
    let (target, reach) = try session.look(at: operands, remote)
    let line = try TmuxCommand.capture(
      target, escapes: escapes, history: history, tmux: tmux.tmuxPath
    ).line
    let screen = try TmuxScreen(
      try reach.connect().run(line), of: target, on: reach.host, history: history)
    try session.output.write(
      screen.record(ts: Timestamp.now.milliseconds, escapes: escapes))
  }
}
