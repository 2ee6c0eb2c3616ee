import Command
import Core
import Foundation
import Remote

/// A host as it is reached in one run of the tool.
struct Reach {
  /// What the host is called, for people.
  let host: String
  /// The hosts on the way, the last one being it.
  let hops: [Hop]
  let connector: Connector

  /// Connects.
  func connect() throws(Failure) -> SSHConnection { try connector.connect(hops) }
}

extension Session {
  /// Finds the way to a host; nothing is connected yet.
  func reach(_ host: String, _ options: RemoteOptions) throws(Failure) -> Reach {
    let destination = try Destination(host)
    let home = environment["HOME"] ?? NSHomeDirectory()
    let surroundings = Surroundings(home: home, user: LoginName.current, environment: environment)
    if let path = options.sshConfig, access(path, F_OK) != 0 {
      throw Failure(.notFound, "cannot open '\(Visible.line(path))': no such file", input: path)
    }
    let config = try SSHConfig(path: options.sshConfig ?? home + "/.ssh/config", surroundings)
    let route = try Route(
      to: destination, config, surroundings, identityFiles: options.identity,
      jump: try options.jumps)
    for place in route.leftOut {
      diagnostics.say("\(place) is not followed: a Match block, or a command")
    }
    let store = TrustStore(directories)
    var connector = Connector(
      knownHosts: { hop in
        KnownHosts(
          store: store, others: KnownHosts.ofOpenSSH(home: home, named: hop.knownHostsFiles))
      },
      user: LoginName.current, interruption: interruption,
      keys: { (hop) throws(Failure) in try self.privateKeys(hop, options, home) },
      note: { self.diagnostics.say($0) })
    connector.policy = options.trust
    connector.pinned = options.hostKey
    connector.timeout = options.timeout.value
    connector.interval = options.keepalive.value
    return Reach(host: destination.host, hops: route.hops, connector: connector)
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

  /// The keys that are tried at a host: those named, those of the configuration, the stored ones, and
  /// where there are none, the usual file.
  private func privateKeys(
    _ hop: Hop, _ options: RemoteOptions, _ home: String
  ) throws(Failure) -> [PrivateKey] {
    var keys: [PrivateKey] = []
    for path in hop.identityFiles {
      do throws(Failure) {
        keys.append(try privateKey(path, options))
      } catch {
        // A configuration may name files that are not on this machine.
        guard !options.identity.contains(path), error.kind == "noFile" else { throw error }
      }
    }
    guard options.identity.isEmpty else { return keys }
    let stored = try storedKeys()
    for name in stored.names {
      do throws(Failure) {
        keys.append(try stored.key(name))
      } catch {
        // Others may do.
        diagnostics.say(error.explanation)
      }
    }
    let usual = home + "/.ssh/id_ed25519"
    if keys.isEmpty, access(usual, F_OK) == 0 { keys.append(try privateKey(usual, options)) }
    return keys
  }

  private func privateKey(_ path: String, _ options: RemoteOptions) throws(Failure) -> PrivateKey {
    try PrivateKey(path: path) { () throws(Failure) in
      try passphrase(of: path, options.passphraseFile)
    }
  }

  /// The passphrase of a key: from a file, or at the terminal, but never in the middle of a pipe.
  func passphrase(of path: String, _ file: String?) throws(Failure) -> String? {
    if let file {
      guard let bytes = try PrivateFile.read(file) else {
        throw Failure(
          .keyUnreadable, "cannot open '\(Visible.line(file))': no such file", input: file)
      }
      let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      Secrets.register(text)
      return text
    }
    guard isatty(0) == 1, isOnTerminal, diagnostics.isTerminal else { return nil }
    return try secret(prompt: "Passphrase of '\(Visible.line(path))': ")
  }

  /// The keys in the key store.
  func storedKeys() throws(Failure) -> StoredKeys {
    StoredKeys(keys(try configuration()), directories)
  }
}

extension RemoteOptions {
  /// The hosts to go through; nil where the configuration decides.
  fileprivate var jumps: [Destination]? {
    get throws(Failure) {
      guard let jump else { return nil }
      guard jump != "none" else { return [] }
      var hosts: [Destination] = []
      for name in jump.split(separator: ",", omittingEmptySubsequences: false) {
        hosts.append(try Destination(String(name)))
      }
      return hosts
    }
  }
}
