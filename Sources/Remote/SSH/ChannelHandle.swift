internal import CSSH

/// The owner of a libssh channel (ssh_channel_new(3)).
///
/// Its calls never block.
struct ChannelHandle: ~Copyable {
  private let pointer: OpaquePointer
  /// The session of the channel.
  ///
  /// It must not end before the channel.
  private let session: SSHSession

  /// Takes ownership of the given channel of the given session.
  init(owning pointer: OpaquePointer, of session: SSHSession) {
    self.pointer = pointer
    self.session = session
  }

  deinit { ssh_channel_free(pointer) }

  // MARK: - Steps; each is repeated while it returns nil

  /// Opens the channel, so that it can run a command.
  func open() -> SSHOutcome? { SSHOutcome(ssh_channel_open_session(pointer)) }

  /// Opens the channel so that it forwards to the given host and port (RFC 4254, section 7.2).
  func open(forwardingTo host: String, _ port: Int) -> SSHOutcome? {
    SSHOutcome(ssh_channel_open_forward(pointer, host, Int32(port), "127.0.0.1", 0))
  }

  /// Requests a terminal of the given type and size.
  func requestTerminal(_ name: String, columns: Int, lines: Int) -> SSHOutcome? {
    SSHOutcome(ssh_channel_request_pty_size(pointer, name, Int32(columns), Int32(lines)))
  }

  /// Requests that the host run the given command.
  func run(_ command: String) -> SSHOutcome? {
    SSHOutcome(ssh_channel_request_exec(pointer, command))
  }

  // MARK: - Bytes

  /// Reads available bytes.
  ///
  /// - Parameters:
  ///   - buffer: The buffer to fill.
  ///   - errors: `true` to read standard error.
  /// - Returns: The number of bytes; a negative number if no more can arrive.
  func read(into buffer: inout [UInt8], errors: Bool = false) -> Int {
    Int(ssh_channel_read_nonblocking(pointer, &buffer, UInt32(buffer.count), errors ? 1 : 0))
  }

  /// Sends as many of the given bytes as the host accepts now.
  ///
  /// - Returns: The number of bytes that were sent.
  func write(_ bytes: [UInt8]) -> Int {
    let room = min(bytes.count, Int(ssh_channel_window_size(pointer)), 1 << 15)
    guard room > 0 else { return 0 }
    return max(0, Int(ssh_channel_write(pointer, bytes, UInt32(room))))
  }

  /// Sends the end of input.
  ///
  /// Repeated calls have no effect.
  func sendEnd() {
    // If the session is gone, it needs no end of input.
    _ = ssh_channel_send_eof(pointer)
  }

  /// Closes the channel.
  func close() {
    // As above.
    _ = ssh_channel_close(pointer)
  }

  /// Reports the terminal's new size to the host (RFC 4254, section 6.7).
  func resize(columns: Int, lines: Int) {
    // The request has no reply; a host that does not support it uses the old size.
    _ = ssh_channel_change_pty_size(pointer, Int32(columns), Int32(lines))
  }

  // MARK: - State

  /// `true` if the host has sent its end of output.
  var isAtEnd: Bool { ssh_channel_is_eof(pointer) != 0 }

  /// `true` if the host has closed the channel.
  var isClosed: Bool { ssh_channel_is_closed(pointer) != 0 }

  /// The command's exit status; -1 if the host reported none.
  var exitStatus: Int32 { ssh_channel_get_exit_status(pointer) }
}
