public import ArgumentParser
import Command
public import Remote

extension Connector.Policy: ExpressibleByArgument {}

/// The options for the connection to the host.
struct RemoteOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The private key file.", valueName: "file"),
    completion: .file())
  var identity: [String] = []
  @Option(
    help: ArgumentHelp("Read the key's passphrase from this file.", valueName: "file"),
    completion: .file())
  var passphraseFile: String?
  @Option(
    name: [.customShort("J"), .long],
    help: ArgumentHelp(
      "Jump hosts, separated by commas, or 'none'.", valueName: "hosts"))
  var jump: String?
  @Option(help: ArgumentHelp("Require this host key.", valueName: "fingerprint"))
  var hostKey: String?
  @Option(help: "Policy for unknown hosts.")
  var trust = Connector.Policy.acceptNew
  @Option(help: ArgumentHelp("Time limit for connecting and login.", valueName: "time"))
  var timeout = Seconds(seconds: 10)
  @Option(help: ArgumentHelp("Interval between keepalives.", valueName: "time"))
  var keepalive = Seconds(seconds: 5)
  @Option(
    help: ArgumentHelp("Use this file instead of ~/.ssh/config.", valueName: "file"),
    completion: .file())
  var sshConfig: String?

  func validate() throws {
    guard timeout.value > 0, keepalive.value >= 0.1 else {
      throw ValidationError("--timeout and --keepalive must be longer.")
    }
  }

  /// The route to the host that the options request.
  var wishes: Reach.Wishes {
    var wishes = Reach.Wishes()
    wishes.identityFiles = identity
    wishes.jump = jump
    wishes.sshConfig = sshConfig
    wishes.hostKey = hostKey
    wishes.policy = trust
    wishes.timeout = timeout.value
    wishes.keepAlive = keepalive.value
    return wishes
  }
}

/// The operand that names the host.
struct HostOperand: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "[USER@]HOST[:PORT], or a name in ~/.ssh/config.", valueName: "host"))
  var name: String
}

/// The operands that name the session and its host.
struct SessionOperands: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "[USER@]HOST[:PORT], or a name in ~/.ssh/config; this machine by default.",
      valueName: "host"))
  var host: String?
  @Argument(help: "The exact name or id of the session.")
  var session: String?
  @Option(
    help: ArgumentHelp("Use the session of this agent.", valueName: "id"),
    completion: .agents)
  var agent: String?
  @OptionGroup var hub: HubOptions

  func validate() throws {
    guard hub.hub == nil || agent != nil else {
      throw ValidationError("--hub needs --agent.")
    }
    guard agent == nil || host == nil else {
      throw ValidationError("--agent accepts no host and no session.")
    }
    guard agent != nil || host != nil else { throw ValidationError("Missing the session.") }
  }

  /// The name of the session if it is on this machine; nil if the operands name a host.
  var here: String? { session == nil ? host : nil }
}

/// The option that names the tmux program.
struct TmuxOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Path of tmux on the host, if not in PATH.", valueName: "path"))
  var tmuxPath: String?
}

/// The options for reconnecting after the connection is lost.
struct ReconnectOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Retry a lost connection for this long.", valueName: "time"))
  var reconnect = Seconds(seconds: 600)
}
