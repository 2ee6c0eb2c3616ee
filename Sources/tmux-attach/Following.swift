import ArgumentParser
import Command
import Core
import Processes
import Remote
import Watching

struct WatchSession: Tool {
  static let configuration = verbConfiguration(
    "watch", abstract: "Follow a session's output as records")

  @OptionGroup var operands: SessionOperands
  @OptionGroup var remote: RemoteOptions
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var again: ReconnectOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) async throws(Failure) {
    let place = try await session.place(operands)
    guard place.host != nil else { return try follow(place.session, session) }
    let (target, reach) = try session.look(at: place, remote)
    let watch = TerminalWatch(target, on: reach.host, tmux: tmux.tmuxPath) {
      (record) throws(Failure) in try session.output.write(record)
    }
    try watch.run(reach, patience: again.reconnect.value) {
      session.diagnostics.report("\($0.explanation): retrying")
    }
  }

  /// Follows the tmux session with the given name on this machine.
  private func follow(_ name: String, _ session: Session) throws(Failure) {
    try session.confirmLooking()
    let watch = try LocalWatch(
      named: name, tmux: tmux.tmuxPath, environment: .ofHelper(session.environment),
      interruption: session.interruption
    ) { (record) throws(Failure) in try session.output.write(record) }
    try watch.run(
      goesOn: again.reconnect.value > 0,
      lost: { session.diagnostics.report("\($0.explanation): retrying") }
    ) { (command) throws(Failure) in try LocalTerminals.run(command, session.environment) }
  }
}

struct SnapshotSession: Tool {
  static let configuration = verbConfiguration(
    "snapshot", abstract: "Show the current screen of a session")

  @OptionGroup var operands: SessionOperands
  @OptionGroup var remote: RemoteOptions
  @Flag(help: "Keep colours and attributes as escape codes.")
  var escapes = false
  @Option(help: ArgumentHelp("Include this many lines above the screen.", valueName: "lines"))
  var history = 0
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard history >= 0 else { throw ValidationError("--history must not be negative.") }
  }

  func run(_ session: Session) async throws(Failure) {
    let place = try await session.place(operands)
    guard place.host != nil else {
      try session.confirmLooking()
      let own = try LocalSession(named: place.session, tmux: tmux.tmuxPath) {
        (command) throws(Failure) in try LocalTerminals.run(command, session.environment)
      }
      return try session.output.write(try own.snapshot(escapes: escapes, history: history))
    }
    let (target, reach) = try session.look(at: place, remote)
    try session.output.write(
      try reach.snapshot(of: target, escapes: escapes, history: history, tmux: tmux.tmuxPath))
  }
}
