internal import CSSH

/// The one owner of a channel of libssh (ssh_channel_new(3)); no call on it waits.
struct ChannelHandle: ~Copyable {
  private let pointer: OpaquePointer
  /// The session, which must not end before its channel does.
  private let session: SSHSession

  /// Owns a channel of a session.
  init(owning pointer: OpaquePointer, of session: SSHSession) {
    self.pointer = pointer
    self.session = session
  }

  deinit { ssh_channel_free(pointer) }

  // MARK: - Steps; each is made again while it comes to nothing

  /// Opens it, for a command.
  func open() -> SSHOutcome? { SSHOutcome(ssh_channel_open_session(pointer)) }

  /// Opens it, to another host behind this one (RFC 4254, section 7.2).
  func open(forwardingTo host: String, _ port: Int) -> SSHOutcome? {
    SSHOutcome(ssh_channel_open_forward(pointer, host, Int32(port), "127.0.0.1", 0))
  }

  /// Asks for a terminal.
  func requestTerminal(_ name: String, columns: Int, lines: Int) -> SSHOutcome? {
    SSHOutcome(ssh_channel_request_pty_size(pointer, name, Int32(columns), Int32(lines)))
  }

  /// Runs a command.
  func run(_ command: String) -> SSHOutcome? {
    SSHOutcome(ssh_channel_request_exec(pointer, command))
  }

  // MARK: - Bytes

  /// Reads what has come.
  ///
  /// - Parameters:
  ///   - buffer: Where to; as much as it holds.
  ///   - errors: Whether what was written as errors is read.
  /// - Returns: How many bytes it was; below 0 when no more can come.
  func read(into buffer: inout [UInt8], errors: Bool = false) -> Int {
    Int(ssh_channel_read_nonblocking(pointer, &buffer, UInt32(buffer.count), errors ? 1 : 0))
  }

  /// Sends as much as the host takes now, from the beginning on.
  ///
  /// - Returns: How many bytes went.
  func write(_ bytes: [UInt8]) -> Int {
    let room = min(bytes.count, Int(ssh_channel_window_size(pointer)), 1 << 15)
    guard room > 0 else { return 0 }
    return max(0, Int(ssh_channel_write(pointer, bytes, UInt32(room))))
  }

  /// Says that nothing more is sent; twice is once.
  func sendEnd() {
    // A session that is gone takes none, and needs none.
    _ = ssh_channel_send_eof(pointer)
  }

  /// Says that nothing more is wanted.
  func close() {
    // As above.
    _ = ssh_channel_close(pointer)
  }

  /// Tells the host the terminal's new size (RFC 4254, section 6.7).
  func resize(columns: Int, lines: Int) {
    // No answer is given; a host that does not know of it keeps the old size.
    _ = ssh_channel_change_pty_size(pointer, Int32(columns), Int32(lines))
  }

  // MARK: - What is known

  /// Whether the host has said that it sends nothing more.
  var isAtEnd: Bool { ssh_channel_is_eof(pointer) != 0 }

  /// Whether the host has closed it.
  var isClosed: Bool { ssh_channel_is_closed(pointer) != 0 }

  /// The command's exit status; -1 where the host told none.
  var exitStatus: Int32 { ssh_channel_get_exit_status(pointer) }
}
