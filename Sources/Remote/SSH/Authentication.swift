internal import CSSH
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
      let answer = try settled(limit, again: SSH_AUTH_AGAIN.rawValue) {
        ssh_userauth_publickey(session.pointer, nil, key.pointer)
      }
      switch answer {
      case SSH_AUTH_SUCCESS.rawValue: return
      case SSH_AUTH_PARTIAL.rawValue:
        throw Failure(
          .sshSecondFactor,
          "'\(subject)' wants more than the key '\(Visible.line(key.name))': \(methods(session))",
          input: host)
      case SSH_AUTH_DENIED.rawValue: continue
      case nil:
        throw Failure(
          .sshHostUnreachable,
          "'\(subject)' did not let anybody in within \(Int(limit.seconds ?? 0)) seconds",
          kind: "timeout", input: host)
      default:
        // A host that has had enough of wrong keys hangs up.
        throw Failure(
          .sshAuthFailed, "'\(subject)' ended the connection while keys were tried", input: host,
          cause: Visible.line(session.error))
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

  /// What the host would still take, as its answer told (RFC 4252, section 5.1).
  private func methods(_ session: SSHSession) -> String {
    let names: [(Int32, String)] = [
      (Int32(SSH_AUTH_METHOD_PUBLICKEY), "publickey"),
      (Int32(SSH_AUTH_METHOD_PASSWORD), "password"),
      (Int32(SSH_AUTH_METHOD_INTERACTIVE), "keyboard-interactive"),
      (Int32(SSH_AUTH_METHOD_HOSTBASED), "hostbased"),
      (Int32(SSH_AUTH_METHOD_GSSAPI_MIC), "gssapi-with-mic"),
    ]
    let methods = ssh_userauth_list(session.pointer, nil)
    let told = names.filter { methods & $0.0 != 0 }.map(\.1)
    return told.isEmpty ? "no method that it tells" : told.joined(separator: ", ")
  }
}
