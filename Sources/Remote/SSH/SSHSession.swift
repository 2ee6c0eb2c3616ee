internal import CSSH
import Core
import Foundation

/// A session of libssh that never blocks: a call that has no answer yet is made again when there may be
/// one.
///
/// Nothing of `~/.ssh` is read by libssh, and no host key is judged by it: its reader of known_hosts
/// takes keys that have changed for new ones.
final class SSHSession {
  /// The session (ssh_new(3)).
  let pointer: OpaquePointer
  private let counters: UnsafeMutablePointer<ssh_counter_struct>

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
      throw Failure(.terminalInitFailed, "libssh cannot be started", kind: "library")
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
        .terminalInitFailed, "libssh takes no \(name) for '\(Visible.line(host))'",
        kind: "library", cause: Visible.line(error))
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

  /// What poll(2) is to wait for.
  var wanted: pollfd {
    let isWriting = ssh_get_poll_flags(pointer) & SSH_WRITE_PENDING != 0
    return pollfd(
      fd: ssh_get_fd(pointer), events: Int16(POLLIN | (isWriting ? POLLOUT : 0)), revents: 0)
  }

  /// Takes in what has come, for all channels.
  ///
  /// Reading one does so no more once it has ended, though the host has still to close it. What the host
  /// asks for is refused (ssh_execute_message_callbacks).
  func takeIn() {
    guard isConnected else { return }
    // That the connection is gone shows in `isConnected`.
    _ = ssh_execute_message_callbacks(pointer)
  }

  /// Has the kernel acknowledge at once what came last (tcp(7), TCP_QUICKACK).
  ///
  /// A server that gathers small segments (RFC 896) sends its next one only then, which the kernel may
  /// put off for 40 milliseconds. It has to be asked for again and again.
  func acknowledgeAtOnce() {
    #if os(Linux)
      var on: Int32 = 1
      _ = setsockopt(
        ssh_get_fd(pointer), Int32(IPPROTO_TCP), TCP_QUICKACK, &on,
        socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// The key that the host has shown to own.
  ///
  /// - Throws: `InvalidResponse` for one that cannot be read.
  func hostKey() throws(Failure) -> HostKey {
    var key: OpaquePointer?
    var text: UnsafeMutablePointer<CChar>?
    guard ssh_get_server_publickey(pointer, &key) == SSH_OK, let key else {
      throw Failure(.invalidResponse, "the host shows no key", cause: Visible.line(error))
    }
    defer { ssh_key_free(key) }
    guard ssh_pki_export_pubkey_base64(key, &text) == SSH_OK, let text else {
      throw Failure(.invalidResponse, "the host's key cannot be read", cause: Visible.line(error))
    }
    defer { ssh_string_free_char(text) }
    guard let known = HostKey(base64: String(cString: text).utf8) else {
      throw Failure(.invalidResponse, "the host's key cannot be read")
    }
    return known
  }

  private static func types(_ recorded: [String]) -> String {
    var types: [String] = []
    for type in recorded where hostKeys.contains(type) || otherHostKeys.contains(type) {
      if !types.contains(type) { types.append(type) }
    }
    return (types + hostKeys.filter { !types.contains($0) }).joined(separator: ",")
  }
}
