import Core
import Foundation

extension SSHConnection {
  /// The maximum number of keys that are offered.
  ///
  /// After the sixth wrong key, OpenSSH's server disconnects (sshd_config(5), `MaxAuthTries`), and
  /// libssh would wait for a reply in vain.
  private static let mostOffers = 5

  /// Logs in at the innermost host.
  ///
  /// - Parameters:
  ///   - user: The login name.
  ///   - keys: The keys to try, in order.
  ///   - host: The host's name for messages.
  ///   - limit: The time limit. The time for prompts does not count.
  /// - Throws: `SSHAuthFailed` if the host accepts no key; `SSHSecondFactor` if the host requires
  ///   more than a key; `KeyUnreadable` if the host would accept a key that cannot be used;
  ///   `SSHHostUnreachable` if the time limit expires.
  func authenticate(
    _ user: String, _ keys: [LoginKey], host: String, limit: inout TimeLimit
  ) throws(Failure) {
    let session = try session()
    let subject = Visible.line("\(user)@\(host)")
    var offered: [LoginKey] = []
    var unusable: Failure?
    for key in keys.prefix(Self.mostOffers) {
      offered.append(key)
      let answer: SSHSession.KeyAnswer?
      do throws(Failure) {
        answer = try offer(key, session, &limit)
      } catch {
        // The user may leave a passphrase empty.
        guard [.keyUnreadable, .badInput].contains(error.code) else { throw error }
        unusable = unusable ?? error
        continue
      }
      switch answer {
      case .letIn: return
      case .wantsMore:
        throw Failure(
          .sshSecondFactor,
          "'\(subject)' requires more than the key '\(Visible.line(key.name))': \(methods(session))",
          input: host)
      case .refused: continue
      case .unsigned:
        unusable = unusable ?? PrivateKey.unreadable(key.name, "it cannot sign")
      case .ended:
        // A host disconnects after too many wrong keys.
        throw Failure(
          .sshAuthFailed,
          "'\(subject)' closed the connection after the keys \(Self.names(offered))",
          input: host, cause: Visible.line(session.error),
          nextStep: "name the right one with --identity")
      case nil:
        throw Failure(
          .sshHostUnreachable,
          "'\(subject)' did not complete the login within \(Int(limit.seconds ?? 0)) seconds",
          kind: .timeout, input: host)
      }
    }
    if let unusable { throw unusable }
    let left = keys.count - offered.count
    throw Failure(
      .sshAuthFailed,
      keys.isEmpty
        ? "there is no key for '\(subject)'"
        : "'\(subject)' accepts none of the keys \(Self.names(offered)); it allows "
          + methods(session) + (left > 0 ? "; \(left) more keys were not tried" : ""),
      input: host,
      nextStep: keys.isEmpty
        ? "create one with 'tmux-attach key generate', or name one with --identity"
        : left > 0 ? "name one with --identity" : nil)
  }

  /// Offers the given key to the host.
  ///
  /// - Returns: The host's answer; nil if the time limit expired.
  /// - Throws: `KeyUnreadable` if the host may accept the key, but the key cannot be decrypted. The
  ///   errors of the passphrase prompt are rethrown.
  private func offer(
    _ key: LoginKey, _ session: SSHSession, _ limit: inout TimeLimit
  ) throws(Failure) -> SSHSession.KeyAnswer? {
    switch key.holder {
    case .us(let key): return try settled(limit) { session.offer(key) }
    case .file(let unlock):
      // The user is prompted only for a key that the host accepts.
      if let publicKey = key.publicKey {
        let answer = try settled(limit) { session.probe(publicKey) }
        guard answer == .letIn else { return answer }
      }
      let began = ContinuousClock.now
      let opened = try unlock()
      limit.extend(since: began)
      return try settled(limit) { session.offer(opened) }
    case .agent(let agent, let publicKey):
      var none: [pollfd] = []
      while true {
        let began = ContinuousClock.now
        let answer = session.offer(publicKey, heldBy: agent)
        // The call waits only for the agent, which may prompt the user.
        limit.extend(since: began)
        if let answer { return answer }
        guard !limit.isOver else { return nil }
        try turn(&none, within: limit.milliseconds(atMost: 1000))
      }
    }
  }

  private static func names(_ keys: [LoginKey]) -> String {
    keys.map { "'\(Visible.line($0.name))'" }.joined(separator: ", ")
  }

  /// Returns the authentication methods that the host still allows, as text for a message.
  private func methods(_ session: SSHSession) -> String {
    let offered = session.methods
    return offered.isEmpty ? "no method that it names" : offered.joined(separator: ", ")
  }
}
