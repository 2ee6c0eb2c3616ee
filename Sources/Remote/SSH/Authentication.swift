import Core

extension SSHConnection {
  /// Has the innermost host let a user in.
  ///
  /// - Parameters:
  ///   - user: Who.
  ///   - keys: With which keys, tried in order.
  ///   - host: What the host is called, for failures.
  ///   - limit: When it must be done.
  /// - Throws: `SSHAuthFailed`; `SSHSecondFactor` where a key was taken and is not enough;
  ///   `SSHHostUnreachable` when the time is over.
  func authenticate(
    _ user: String, _ keys: [PrivateKey], host: String, limit: TimeLimit
  ) throws(Failure) {
    let session = try session()
    let subject = Visible.line("\(user)@\(host)")
    for key in keys {
      switch try settled(limit, { session.offer(key) }) {
      case .letIn: return
      case .wantsMore:
        throw Failure(
          .sshSecondFactor,
          "'\(subject)' wants more than the key '\(Visible.line(key.name))': \(methods(session))",
          input: host)
      case .refused: continue
      case .ended:
        // A host that has had enough of wrong keys hangs up.
        throw Failure(
          .sshAuthFailed, "'\(subject)' ended the connection while keys were tried", input: host,
          cause: Visible.line(session.error))
      case nil:
        throw Failure(
          .sshHostUnreachable,
          "'\(subject)' did not let anybody in within \(Int(limit.seconds ?? 0)) seconds",
          kind: .timeout, input: host)
      }
    }
    throw Failure(
      .sshAuthFailed,
      keys.isEmpty
        ? "there is no key for '\(subject)': make one with 'tmux-attach key generate', or name one "
          + "with --identity"
        : "'\(subject)' takes none of the keys: "
          + keys.map { "'\(Visible.line($0.name))'" }.joined(separator: ", ")
          + "; it lets in by \(methods(session))",
      input: host)
  }

  /// The ways in that are left, in words.
  private func methods(_ session: SSHSession) -> String {
    let told = session.methods
    return told.isEmpty ? "no method that it tells" : told.joined(separator: ", ")
  }
}
