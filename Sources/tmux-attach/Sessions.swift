public import ArgumentParser
import Command
import Core
public import Remote

struct ListTerminals: Tool {
  static let configuration = verbConfiguration("list", abstract: "List the sessions of a host")

  @OptionGroup var host: HostOperand
  @OptionGroup var remote: RemoteOptions
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let reach = try session.reach(host.name, remote)
    let answer = try reach.connect().run(try TmuxCommand.list(tmux: tmux.tmuxPath).line)
    let listed = try answer.sessions(
      host: reach.host, port: reach.port, user: reach.user, authMode: "publickey")
    for terminal in listed { try session.output.write(terminal.session) }
  }
}

struct CreateTerminal: Tool {
  static let configuration = verbConfiguration(
    "create", abstract: "Make a session, without looking at it")

  @OptionGroup var host: HostOperand
  @OptionGroup var remote: RemoteOptions
  @Argument(help: "What it is to be called.")
  var name: String
  @Option(help: ArgumentHelp("The folder it begins in.", valueName: "path"))
  var directory: String?
  @Option(help: ArgumentHelp("The size of its window, such as 200x50.", valueName: "size"))
  var size: SSHChannel.TerminalSize?
  @Argument(parsing: .postTerminator, help: "What runs in it, after --; else a shell.")
  var command: [String] = []
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let reach = try session.reach(host.name, remote)
    let line = try TmuxCommand.create(
      name, path: directory, size: size.map { ($0.columns, $0.lines) }, command: command,
      tmux: tmux.tmuxPath
    ).line
    try Confirmation(session).runCommand()
    let made = try reach.connect().run(line).created(
      host: reach.host, port: reach.port, user: reach.user, authMode: "publickey")
    try session.output.write(made.session)
  }
}

struct KillTerminal: Tool {
  static let configuration = verbConfiguration(
    "kill", abstract: "End a session and what runs in it")

  @OptionGroup var host: HostOperand
  @OptionGroup var remote: RemoteOptions
  @Argument(help: "The session, by its exact name or its id.")
  var session: String
  @OptionGroup var tmux: TmuxOptions
  @OptionGroup var common: CommonOptions

  func run(_ session: Session) throws(Failure) {
    let target = try TmuxTarget(self.session)
    let reach = try session.reach(host.name, remote)
    try Confirmation(session).runCommand()
    let answer = try reach.connect().run(try TmuxCommand.kill(target, tmux: tmux.tmuxPath).line)
    try answer.check(target, on: reach.host)
  }
}

/// A window's size as people write it: columns, `x`, lines.
extension SSHChannel.TerminalSize: ExpressibleByArgument {
  /// Reads `200x50`; nil for anything else.
  public init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Int(parts[0]), let lines = Int(parts[1]) else {
      return nil
    }
    self.init(columns: columns, lines: lines)
  }
}

extension Reach {
  /// The port, where it is not the usual one.
  var port: Int? { hops.last.flatMap { $0.port == 22 ? nil : $0.port } }

  /// Who is let in.
  var user: String { hops.last?.user ?? connector.user }
}
