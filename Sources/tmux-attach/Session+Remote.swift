import Command
import Core
import Foundation
import Remote
import Tmux
import Watching

extension Session {
  /// Finds the way to a host; nothing is connected yet.
  func reach(_ host: String, _ options: RemoteOptions) throws(Failure) -> Reach {
    let user = LocalUser(
      home: environment["HOME"] ?? NSHomeDirectory(), name: LoginName.current,
      environment: environment)
    let here = LocalSide(
      user: user, directories: directories, interruption: interruption,
      storedKeys: { () throws(Failure) in try self.storedKeys() },
      passphrase: { (path) throws(Failure) in
        try self.passphrase(of: path, options.passphraseFile)
      }, note: { self.diagnostics.say($0) })
    return try Reach(to: host, options.wishes, from: here)
  }

  /// The host and the session that are meant.
  func place(_ operands: SessionOperands) throws(Failure) -> (host: String, session: String) {
    guard let agent = operands.agent else { return (operands.host ?? "", operands.session ?? "") }
    let terminals = AgentTerminals(configured: try configuration().agentTerminals, directories)
    let terminal = try terminals.terminal(of: agent, at: .now)
    return (terminal.host, terminal.session)
  }

  /// The session of this machine that is meant: named without a host, or told of by an agent's events.
  ///
  /// Nil where a host is named, and where the configuration says where the agent works.
  func here(_ operands: SessionOperands) throws(Failure) -> String? {
    guard let agent = operands.agent else { return operands.here }
    let configured = try configuration().agentTerminals
    guard configured[agent] == nil else { return nil }
    return try AgentTerminals(configured: configured, directories).terminal(of: agent, at: .now)
      .session
  }

  /// The session that is to be looked at, and the way to its host, confirmed where the configuration
  /// wants that.
  func look(
    at operands: SessionOperands, _ options: RemoteOptions
  ) throws(Failure) -> (target: TmuxTarget, reach: Reach) {
    let place = try place(operands)
    let target = try TmuxTarget(place.session)
    let reach = try reach(place.host, options)
    if try configuration().terminal.confirmsLooking { try Confirmation(self).runCommand() }
    return (target, reach)
  }

  /// The passphrase of a key: from a file, or at the terminal, but never in the middle of a pipe.
  func passphrase(of path: String, _ file: String?) throws(Failure) -> String? {
    if let file { return try PrivateKey.passphrase(inFile: file) }
    guard isatty(0) == 1, isOnTerminal, diagnostics.isTerminal else { return nil }
    return try secret(prompt: "Passphrase of '\(Visible.line(path))': ")
  }

  /// The keys in the key store.
  func storedKeys() throws(Failure) -> StoredKeys {
    StoredKeys(keys(try configuration()), directories)
  }
}
