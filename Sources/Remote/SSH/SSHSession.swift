internal import CSSH
import Core
import Foundation

/// What a step of libssh came to.
enum SSHOutcome {
  case done, failed

  /// Reads a status of libssh; nil for a step that has to be made again.
  init?(_ status: Int32) {
    switch status {
    case SSH_OK: self = .done
    case SSH_AGAIN: return nil
    default: self = .failed
    }
  }
}

/// A session of libssh that never blocks: a call that has no answer yet is made again when there may be
/// one.
///
/// Nothing of `~/.ssh` is read by libssh, and no host key is judged by it: its reader of known_hosts
/// takes keys that have changed for new ones.
final class SSHSession {
  /// What a host says to a key.
  enum KeyAnswer {
    case letIn, wantsMore, refused
    /// No signature came about.
    case unsigned
    /// It ended the connection.
    case ended
  }

  /// The session (ssh_new(3)).
  private let pointer: OpaquePointer
  private let counters: UnsafeMutablePointer<ssh_counter_struct>
  private var relay: AgentRelay?

  /// Key exchange without the curves of NIST, and nothing that rests on SHA-1.
  private static let exchanges =
    "curve25519-sha256,curve25519-sha256@libssh.org,diffie-hellman-group18-sha512,"
    + "diffie-hellman-group16-sha512,diffie-hellman-group-exchange-sha256"
  private static let ciphers =
    "chacha20-poly1305@openssh.com,aes256-gcm@openssh.com,aes128-gcm@openssh.com,"
    + "aes256-ctr,aes192-ctr,aes128-ctr"
  private static let codes =
    "hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,hmac-sha2-256,hmac-sha2-512"
  /// The keys that every host is asked for; others only where one is recorded.
  private static let hostKeys = ["ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256"]
  /// The other keys that libssh can verify.
  private static let otherHostKeys: Set = [
    "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
  ]

  /// A session over a socket that is connected.
  ///
  /// - Parameters:
  ///   - socket: The socket; a copy of it is used, and closed with the session.
  ///   - host: What the host is called.
  ///   - port: Its port.
  ///   - user: Who wants to be let in.
  ///   - recorded: The algorithms of the keys recorded for the host: they are asked for first.
  /// - Throws: `TerminalInitFailed` without memory.
  init(
    socket: Int32, host: String, port: Int, user: String, recorded: [String]
  ) throws(Failure) {
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
    // A farewell that waits for nobody; then the socket is closed.
    ssh_silent_disconnect(pointer)
    ssh_free(pointer)
    counters.deallocate()
  }

  /// What libssh said last, which may be of something else.
  var error: String {
    ssh_get_error(UnsafeMutableRawPointer(pointer)).map { String(cString: $0) } ?? ""
  }

  /// How many bytes came, in all.
  var received: UInt64 { counters.pointee.in_bytes }

  /// Whether the connection is there, as far as libssh has seen.
  var isConnected: Bool { ssh_is_connected(pointer) != 0 }

  /// The socket.
  var descriptor: Int32 { ssh_get_fd(pointer) }

  /// What poll(2) is to wait for.
  var wanted: pollfd {
    let isWriting = ssh_get_poll_flags(pointer) & SSH_WRITE_PENDING != 0
    return pollfd(
      fd: descriptor, events: Int16(POLLIN | (isWriting ? POLLOUT : 0)), revents: 0)
  }

  /// Takes in what has come, for all channels.
  ///
  /// Reading one does so no more once it has ended, though the host has still to close it. What the host
  /// asks for is refused (ssh_execute_message_callbacks).
  func receive() {
    guard isConnected else { return }
    // That the connection is gone shows in `isConnected`.
    _ = ssh_execute_message_callbacks(pointer)
  }

  /// Asks whether the host is still there; the answer is that anything comes.
  func askForLife() {
    // Each second call only takes in the answer to the first; what becomes of it shows in `isConnected`.
    for _ in 0..<2 { _ = ssh_send_keepalive(pointer) }
  }

  // MARK: - Being let in

  /// Exchanges keys with the host.
  func shakeHands() -> SSHOutcome? { SSHOutcome(ssh_connect(pointer)) }

  /// How the host introduced itself; empty before it did.
  var banner: String { ssh_get_serverbanner(pointer).map { String(cString: $0) } ?? "" }

  /// The key that the host has shown to own.
  ///
  /// - Throws: `InvalidResponse` for one that cannot be read.
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

  /// Offers a key to the host.
  ///
  /// - Returns: Its answer; nil while there is none.
  func offer(_ key: PrivateKey) -> KeyAnswer? {
    answer(key.handle.lend { ssh_userauth_publickey(pointer, nil, $0) })
  }

  /// Asks the host whether it would let in by a key, before anything is signed.
  ///
  /// - Returns: `letIn` if it would; nil while there is no answer.
  func ask(about key: HostKey) -> KeyAnswer? {
    guard let handle = KeyHandle(key) else { return .refused }
    return answer(handle.lend { ssh_userauth_try_publickey(pointer, nil, $0) })
  }

  /// Offers a key that an agent holds, and has that sign.
  ///
  /// - Returns: The host's answer; nil while there is none.
  func offer(_ key: HostKey, heldBy agent: SSHAgent) -> KeyAnswer? {
    if relay == nil, let made = AgentRelay(to: agent) {
      guard ssh_set_agent_socket(pointer, made.descriptor) == SSH_OK else {
        close(made.descriptor)
        return .unsigned
      }
      relay = made
    }
    // Without one libssh would ask the agent of the environment.
    guard let relay else { return .unsigned }
    relay.choose(key)
    return answer(ssh_userauth_agent(pointer, nil))
  }

  /// Reads a status of libssh; nil for a call that has to be made again.
  private func answer(_ status: Int32) -> KeyAnswer? {
    switch status {
    case SSH_AUTH_AGAIN.rawValue: nil
    case SSH_AUTH_SUCCESS.rawValue: .letIn
    case SSH_AUTH_PARTIAL.rawValue: .wantsMore
    case SSH_AUTH_DENIED.rawValue: .refused
    default: isConnected ? .unsigned : .ended
    }
  }

  /// How the host would still let somebody in, as its answer told (RFC 4252, section 5.1).
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

  /// A channel; nothing is sent yet.
  ///
  /// - Throws: `TerminalInitFailed` without memory.
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
