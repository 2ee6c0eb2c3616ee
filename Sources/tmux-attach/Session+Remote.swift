import Command
import Core
import Foundation
import HubClient
import HubQuestions
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
      }, note: { self.diagnostics.report($0) })
    return try Reach(to: host, options.wishes, from: here)
  }

  /// The host and the session that are meant.
  ///
  /// - Returns: A host that is nil for a session of this machine: one named without a host, or told of
  ///   by the events of an agent for which the configuration does not say where it works.
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

  /// The session that is to be looked at, and the way to its host, confirmed where the configuration
  /// wants that.
  func look(
    at place: (host: String?, session: String), _ options: RemoteOptions
  ) throws(Failure) -> (target: TmuxTarget, reach: Reach) {
    let target = try TmuxTarget(place.session)
    let reach = try reach(place.host ?? "localhost", options)
    try confirmLooking()
    return (target, reach)
  }

  /// Has looking at a session confirmed, where the configuration wants that.
  func confirmLooking() throws(Failure) {
    if try configuration().terminal.confirmsLooking { try Confirmation(self).runCommand() }
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
