import Core
import Foundation

extension SSHConnection {
  /// The most keys that are offered: OpenSSH's server hangs up after the sixth wrong one (sshd_config(5),
  /// `MaxAuthTries`), and libssh then waits in vain for its answer.
  private static let mostOffers = 5

  /// Has the innermost host let a user in.
  ///
  /// - Parameters:
  ///   - user: Who.
  ///   - keys: With which keys, tried in order.
  ///   - host: What the host is called, for failures.
  ///   - limit: When it must be done; time for which a person is asked does not count.
  /// - Throws: `SSHAuthFailed`; `SSHSecondFactor` where a key was taken and is not enough;
  ///   `KeyUnreadable` where the host would take a key that cannot be used; `SSHHostUnreachable` when
  ///   the time is over.
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
        // A person may leave a passphrase empty.
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
        // A host that has had enough of wrong keys hangs up.
        throw Failure(
          .sshAuthFailed,
          "'\(subject)' closed the connection after the keys \(Self.names(offered)): name the "
            + "right one with --identity",
          input: host, cause: Visible.line(session.error))
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
        ? "there is no key for '\(subject)': create one with 'tmux-attach key generate', or "
          + "name one with --identity"
        : "'\(subject)' accepts none of the keys \(Self.names(offered)); it allows "
          + methods(session)
          + (left > 0 ? "; \(left) more keys were not tried: name one with --identity" : ""),
      input: host)
  }

  /// Offers a key.
  ///
  /// - Returns: The host's answer; nil when the time is over.
  /// - Throws: `KeyUnreadable` for a key that the host may take and that cannot be decrypted; what
  ///   asking for its passphrase throws.
  private func offer(
    _ key: LoginKey, _ session: SSHSession, _ limit: inout TimeLimit
  ) throws(Failure) -> SSHSession.KeyAnswer? {
    switch key.holder {
    case .us(let key): return try settled(limit) { session.offer(key) }
    case .file(let unlock):
      // Only a key that the host takes is worth a question.
      if let publicKey = key.publicKey {
        let answer = try settled(limit) { session.ask(about: publicKey) }
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
        // The call waits for nothing but the agent, which may ask somebody.
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

  /// The ways in that are left, in words.
  private func methods(_ session: SSHSession) -> String {
    let told = session.methods
    return told.isEmpty ? "no method that it names" : told.joined(separator: ", ")
  }
}
