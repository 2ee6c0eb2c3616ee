public import ArgumentParser
import Command
public import Remote

extension Connector.Policy: ExpressibleByArgument {}

/// The options for the connection to the host.
struct RemoteOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("A private key's file.", valueName: "file"),
    completion: .file())
  var identity: [String] = []
  @Option(
    help: ArgumentHelp("The passphrase of the key is in this file.", valueName: "file"),
    completion: .file())
  var passphraseFile: String?
  @Option(
    name: [.customShort("J"), .long],
    help: ArgumentHelp(
      "Go through these hosts, by commas; 'none' goes straight.", valueName: "hosts"))
  var jump: String?
  @Option(help: ArgumentHelp("The host's key must be this one.", valueName: "fingerprint"))
  var hostKey: String?
  @Option(help: "What to do about a host that is not known: accept-new or strict.")
  var trust = Connector.Policy.acceptNew
  @Option(help: ArgumentHelp("Connect and be let in within so long.", valueName: "time"))
  var timeout = Seconds(seconds: 10)
  @Option(help: ArgumentHelp("Ask so often whether the host is there.", valueName: "time"))
  var keepalive = Seconds(seconds: 5)
  @Option(
    help: ArgumentHelp("An ssh configuration in place of ~/.ssh/config.", valueName: "file"),
    completion: .file())
  var sshConfig: String?

  func validate() throws {
    guard timeout.value > 0, keepalive.value >= 0.1 else {
      throw ValidationError("The times must be longer.")
    }
  }

  /// The options for the route to the host.
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
      "The host: [USER@]HOST[:PORT], or a name of ~/.ssh/config.", valueName: "host"))
  var name: String
}

/// The operands that name the session.
struct SessionOperands: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The host: [USER@]HOST[:PORT], or a name of ~/.ssh/config; left out, it is this machine.",
      valueName: "host"))
  var host: String?
  @Argument(help: "The session, by its exact name or its id.")
  var session: String?
  @Option(
    help: ArgumentHelp("The session that this agent works in.", valueName: "id"),
    completion: .agents)
  var agent: String?
  @OptionGroup var hub: HubOptions

  func validate() throws {
    guard hub.hub == nil || agent != nil else {
      throw ValidationError("--hub tells where an agent works, and goes with --agent.")
    }
    guard agent == nil || host == nil else {
      throw ValidationError("--agent takes the place of the host and the session.")
    }
    guard agent != nil || host != nil else { throw ValidationError("Missing the session.") }
  }

  /// The name of a session on this machine, if no host is named.
  var here: String? { session == nil ? host : nil }
}

/// The option that names the tmux program.
struct TmuxOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The host's tmux, where PATH does not find it.", valueName: "path"))
  var tmuxPath: String?
}

/// The options for reconnecting after a lost connection.
struct ReconnectOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Try so long to connect again after a loss.", valueName: "time"))
  var reconnect = Seconds(seconds: 600)
}
