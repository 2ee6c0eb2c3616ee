import Command
import Core
import Foundation
import HubClient
import HubQuestions
import Remote
import Tmux
import Watching

extension Session {
  /// Finds the route to the given host, but does not connect.
  ///
  /// `onReport` is called after each message to the user.
  func reach(
    _ host: String, _ options: RemoteOptions, onReport: @escaping () -> Void = {}
  ) throws(Failure) -> Reach {
    let user = LocalUser(
      home: environment["HOME"] ?? NSHomeDirectory(), name: LoginName.current,
      environment: environment)
    let here = LocalSide(
      user: user, directories: directories, interruption: interruption,
      storedKeys: { () throws(Failure) in try self.storedKeys() },
      passphrase: { (path) throws(Failure) in
        try self.passphrase(of: path, options.passphraseFile)
      },
      report: {
        self.diagnostics.report($0)
        onReport()
      })
    return try Reach(to: host, options.wishes, from: here)
  }

  /// Returns the host and the session that the operands name.
  ///
  /// The host is nil for a session on this machine. If the operands name an agent, its terminal is
  /// taken from the configuration. If that has none, it is taken from the agent's events.
  func place(
    _ operands: SessionOperands
  ) async throws(Failure) -> (host: String?, session: String) {
    guard let agent = operands.agent else {
      if let here = operands.here { return (nil, here) }
      return (operands.host, operands.session ?? "")
    }
    if let terminal = try configuration().agentTerminals[agent] {
      return (terminal.host, terminal.session)
    }
    return try await Place(operands.hub.hub, self).steer { (steerer) throws(Failure) in
      try steerer.terminal(ofAgent: agent)
    }
  }

  /// Returns the session to show, and the route to its host.
  ///
  /// If the configuration requires it, the user must confirm first.
  func look(
    at place: (host: String?, session: String), _ options: RemoteOptions
  ) throws(Failure) -> (target: TmuxTarget, reach: Reach) {
    let target = try TmuxTarget(place.session)
    let reach = try reach(place.host ?? "localhost", options)
    try confirmLooking()
    return (target, reach)
  }

  /// Asks the user to confirm that the session is shown, if the configuration requires it.
  func confirmLooking() throws(Failure) {
    if try configuration().terminal.confirmsLooking { try Confirmation(self).runCommand() }
  }

  /// Returns the passphrase of the key at the given path.
  ///
  /// It is read from `file` or, if stdin, stdout and stderr are terminals, by a prompt. Otherwise
  /// it is nil.
  func passphrase(of path: String, _ file: String?) throws(Failure) -> String? {
    if let file { return try PrivateKey.passphrase(inFile: file) }
    guard isatty(0) == 1, isOnTerminal, diagnostics.isTerminal else { return nil }
    return try secret(prompt: "Passphrase of '\(Visible.line(path))': ")
  }

  /// Opens the SSH keys in the key store.
  func storedKeys() throws(Failure) -> StoredKeys {
    StoredKeys(keys(try configuration()), directories)
  }
}
