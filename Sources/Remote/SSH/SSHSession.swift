internal import CSSH
import Core
import Foundation

/// The result of a libssh call.
enum SSHOutcome {
  case done, failed

  /// Converts the given libssh status; returns nil if the call must be repeated.
  init?(_ status: Int32) {
    switch status {
    case SSH_OK: self = .done
    case SSH_AGAIN: return nil
    default: self = .failed
    }
  }
}

/// A libssh session that never blocks.
///
/// A call without a result must be repeated later.
///
/// libssh is not allowed to read the files in `~/.ssh`. It also verifies no host keys, because its
/// known_hosts parser treats changed keys as new ones.
final class SSHSession {
  /// The host's answer to an offered key.
  enum KeyAnswer {
    case letIn, wantsMore, refused
    /// The agent or the key failed to make the signature.
    case unsigned
    /// The host ended the connection.
    case ended
  }

  /// The libssh session (ssh_new(3)).
  private let pointer: OpaquePointer
  private let counters: UnsafeMutablePointer<ssh_counter_struct>
  private var relay: AgentRelay?

  /// The key exchange algorithms that are requested.
  ///
  /// NIST curves and SHA-1 are excluded.
  private static let exchanges =
    "curve25519-sha256,curve25519-sha256@libssh.org,diffie-hellman-group18-sha512,"
    + "diffie-hellman-group16-sha512,diffie-hellman-group-exchange-sha256"
  private static let ciphers =
    "chacha20-poly1305@openssh.com,aes256-gcm@openssh.com,aes128-gcm@openssh.com,"
    + "aes256-ctr,aes192-ctr,aes128-ctr"
  private static let codes =
    "hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,hmac-sha2-256,hmac-sha2-512"
  /// The host key algorithms that are always requested.
  private static let hostKeys = ["ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256"]
  /// The other host key algorithms that libssh supports.
  ///
  /// They are requested only if such a key is recorded.
  private static let otherHostKeys: Set = [
    "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
  ]

  /// Creates a session over the given connected socket.
  ///
  /// - Parameters:
  ///   - socket: The socket. The session uses and closes a duplicate of it.
  ///   - host: The host's name.
  ///   - port: The host's port.
  ///   - user: The login name.
  ///   - recorded: The algorithms of the host's recorded keys. They are requested first.
  /// - Throws: `TerminalInitFailed` if memory is exhausted; `ToolFailed` if libssh is missing.
  init(
    socket: Int32, host: String, port: Int, user: String, recorded: [String]
  ) throws(Failure) {
    try SystemLibrary.ssh.require()
    guard let pointer = ssh_new() else {
      throw Failure(.terminalInitFailed, "libssh cannot be started", kind: .library)
    }
    self.pointer = pointer
    counters = .allocate(capacity: 1)
    counters.initialize(to: ssh_counter_struct())
    var copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    let types = Self.types(recorded)
    let settings: [(String, Int32)] = [
      ("configuration", cssh_set_bool(pointer, SSH_OPTIONS_PROCESS_CONFIG, false)),
      ("socket", copy < 0 ? -1 : ssh_options_set(pointer, SSH_OPTIONS_FD, &copy)),
      ("host", cssh_set_string(pointer, SSH_OPTIONS_HOST, host)),
      ("port", cssh_set_uint(pointer, SSH_OPTIONS_PORT, UInt32(port))),
      ("user", cssh_set_string(pointer, SSH_OPTIONS_USER, user)),
      ("known hosts", cssh_set_string(pointer, SSH_OPTIONS_KNOWNHOSTS, "/dev/null")),
      ("known hosts", cssh_set_string(pointer, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null")),
      ("host keys", cssh_set_string(pointer, SSH_OPTIONS_HOSTKEYS, types)),
      ("key exchange", cssh_set_string(pointer, SSH_OPTIONS_KEY_EXCHANGE, Self.exchanges)),
      ("ciphers", cssh_set_string(pointer, SSH_OPTIONS_CIPHERS_C_S, Self.ciphers)),
      ("ciphers", cssh_set_string(pointer, SSH_OPTIONS_CIPHERS_S_C, Self.ciphers)),
      ("codes", cssh_set_string(pointer, SSH_OPTIONS_HMAC_C_S, Self.codes)),
      ("codes", cssh_set_string(pointer, SSH_OPTIONS_HMAC_S_C, Self.codes)),
      ("time", cssh_set_long(pointer, SSH_OPTIONS_TIMEOUT, 3600)),
    ]
    for (name, status) in settings where status != SSH_OK {
      throw Failure(
        .terminalInitFailed, "libssh rejected the \(name) for '\(Visible.line(host))'",
        kind: .library, cause: Visible.line(error))
    }
    ssh_set_blocking(pointer, 0)
    ssh_set_counters(pointer, counters, nil)
  }

  deinit {
    // The disconnect message does not wait for a reply; then the socket is closed.
    ssh_silent_disconnect(pointer)
    ssh_free(pointer)
    counters.deallocate()
  }

  /// The last error message of libssh.
  ///
  /// It may be unrelated to the last call.
  var error: String {
    ssh_get_error(UnsafeMutableRawPointer(pointer)).map { String(cString: $0) } ?? ""
  }

  /// The number of bytes that were received in this session.
  var received: UInt64 { counters.pointee.in_bytes }

  /// `true` unless libssh has noticed that the connection has ended.
  var isConnected: Bool { ssh_is_connected(pointer) != 0 }

  /// The file descriptor of the session's socket.
  var descriptor: Int32 { ssh_get_fd(pointer) }

  /// The poll(2) request for the socket.
  var wanted: pollfd {
    let isWriting = ssh_get_poll_flags(pointer) & SSH_WRITE_PENDING != 0
    return pollfd(
      fd: descriptor, events: Int16(POLLIN | (isWriting ? POLLOUT : 0)), revents: 0)
  }

  /// Receives available bytes for all channels, and refuses requests from the host
  /// (ssh_execute_message_callbacks).
  ///
  /// After a channel has ended, reading that channel no longer receives bytes, even if the host has
  /// not closed it yet.
  func receive() {
    guard isConnected else { return }
    // `isConnected` reports a lost connection.
    _ = ssh_execute_message_callbacks(pointer)
  }

  /// Sends a keep-alive request.
  ///
  /// Any received byte counts as a reply.
  func sendKeepAlive() {
    // Every second call only reads the reply to the first one. `isConnected` reports a failure.
    for _ in 0..<2 { _ = ssh_send_keepalive(pointer) }
  }

  // MARK: - Logging in

  /// Exchanges keys with the host.
  func shakeHands() -> SSHOutcome? { SSHOutcome(ssh_connect(pointer)) }

  /// The host's identification string; empty until it arrives.
  var banner: String { ssh_get_serverbanner(pointer).map { String(cString: $0) } ?? "" }

  /// Returns the key with which the host has authenticated itself.
  ///
  /// - Throws: `InvalidResponse` if the key cannot be parsed.
  func hostKey() throws(Failure) -> HostKey {
    guard let key = KeyHandle({ ssh_get_server_publickey(pointer, $0) }) else {
      throw Failure(.invalidResponse, "the host sent no key", cause: Visible.line(error))
    }
    guard let text = key.publicHalf else {
      throw Failure(.invalidResponse, "cannot read the host's key", cause: Visible.line(error))
    }
    guard let known = HostKey(base64: text.utf8) else {
      throw Failure(.invalidResponse, "cannot read the host's key")
    }
    return known
  }

  /// Offers the given key to the host.
  ///
  /// - Returns: The host's answer; nil until it arrives.
  func offer(_ key: PrivateKey) -> KeyAnswer? {
    answer(key.handle.lend { ssh_userauth_publickey(pointer, nil, $0) })
  }

  /// Asks the host if it would accept the given key.
  ///
  /// No signature is sent.
  ///
  /// - Returns: `letIn` if the host would accept the key; nil until the answer arrives.
  func probe(_ key: HostKey) -> KeyAnswer? {
    guard let handle = KeyHandle(key) else { return .refused }
    return answer(handle.lend { ssh_userauth_try_publickey(pointer, nil, $0) })
  }

  /// Offers the given key, with which the given agent signs.
  ///
  /// - Returns: The host's answer; nil until it arrives.
  func offer(_ key: HostKey, heldBy agent: SSHAgent) -> KeyAnswer? {
    if relay == nil, let made = AgentRelay(to: agent) {
      guard ssh_set_agent_socket(pointer, made.descriptor) == SSH_OK else {
        close(made.descriptor)
        return .unsigned
      }
      relay = made
    }
    // Without a relay, libssh would use the environment's agent.
    guard let relay else { return .unsigned }
    relay.choose(key)
    return answer(ssh_userauth_agent(pointer, nil))
  }

  /// Converts the given libssh status to an answer; returns nil if the call must be repeated.
  private func answer(_ status: Int32) -> KeyAnswer? {
    switch status {
    case SSH_AUTH_AGAIN.rawValue: nil
    case SSH_AUTH_SUCCESS.rawValue: .letIn
    case SSH_AUTH_PARTIAL.rawValue: .wantsMore
    case SSH_AUTH_DENIED.rawValue: .refused
    default: isConnected ? .unsigned : .ended
    }
  }

  /// The authentication methods that the host still allows (RFC 4252, section 5.1).
  var methods: [String] {
    let names: [(Int32, String)] = [
      (Int32(SSH_AUTH_METHOD_PUBLICKEY), "publickey"),
      (Int32(SSH_AUTH_METHOD_PASSWORD), "password"),
      (Int32(SSH_AUTH_METHOD_INTERACTIVE), "keyboard-interactive"),
      (Int32(SSH_AUTH_METHOD_HOSTBASED), "hostbased"),
      (Int32(SSH_AUTH_METHOD_GSSAPI_MIC), "gssapi-with-mic"),
    ]
    let methods = ssh_userauth_list(pointer, nil)
    return names.filter { methods & $0.0 != 0 }.map(\.1)
  }

  /// Creates a channel in this session, but sends nothing.
  ///
  /// - Throws: `TerminalInitFailed` if memory is exhausted.
  func makeChannel() throws(Failure) -> ChannelHandle {
    guard let made = ssh_channel_new(pointer) else {
      throw Failure(.terminalInitFailed, "cannot open a channel", kind: .library)
    }
    return ChannelHandle(owning: made, of: self)
  }

  private static func types(_ recorded: [String]) -> String {
    var types: [String] = []
    for type in recorded where hostKeys.contains(type) || otherHostKeys.contains(type) {
      if !types.contains(type) { types.append(type) }
    }
    return (types + hostKeys.filter { !types.contains($0) }).joined(separator: ",")
  }
}
