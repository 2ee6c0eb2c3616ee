public import ArgumentParser
import Command
import Core
public import Remote
import Tmux
import Watching

struct ListSessions: Tool {
  static let configuration = verbConfiguration(
    "list", abstract: "List the sessions of a host or of this machine")

  @Argument(
    help: ArgumentHelp(
      "[USER@]HOST[:PORT], or a name in ~/.ssh/config; this machine by default.",
      valueName: "host"))
  var host: String?
  @OptionGroup var remote: RemoteOptions
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    guard let host else { return try session.write(try LocalTerminals.all(session.environment)) }
    let reach = try session.reach(host, remote)
    try session.write(try reach.sessions(tmux: tmux.tmuxPath))
  }
}

struct CreateSession: Tool {
  static let configuration = verbConfiguration(
    "create", abstract: "Create a session without attaching to it")

  @OptionGroup var host: HostOperand
  @OptionGroup var remote: RemoteOptions
  @Argument(help: "The session's name.")
  var name: String
  @Option(help: ArgumentHelp("The session's working directory.", valueName: "path"))
  var directory: String?
  @Option(help: ArgumentHelp("The window size, such as 200x50.", valueName: "size"))
  var size: SSHChannel.TerminalSize?
  @Argument(parsing: .postTerminator, help: "The command, after '--'; a shell by default.")
  var command: [String] = []
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let reach = try session.reach(host.name, remote)
    let command = try TmuxCommand.create(
      name, path: directory, size: size.map { ($0.columns, $0.lines) }, command: command,
      tmux: tmux.tmuxPath)
    try Confirmation(session).runCommand()
    try session.output.write(try reach.create(command))
  }
}

struct KillSession: Tool {
  static let configuration = verbConfiguration(
    "kill", abstract: "End a session and its programs")

  @OptionGroup var host: HostOperand
  @OptionGroup var remote: RemoteOptions
  @Argument(help: "The exact name or id of the session.")
  var session: String
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let target = try TmuxTarget(self.session)
    let reach = try session.reach(host.name, remote)
    try Confirmation(session).runCommand()
    try reach.kill(target, tmux: tmux.tmuxPath)
  }
}

/// The size of a window as the user writes it: columns, `x` and rows.
extension SSHChannel.TerminalSize: ExpressibleByArgument {
  /// Creates a size from text such as `200x50`; nil for any other text.
  public init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Int(parts[0]), let lines = Int(parts[1]) else {
      return nil
    }
    self.init(columns: columns, lines: lines)
  }
}
