import Core

/// A channel on which one command runs.
///
/// The channel is opened step by step, so that several channels can open at the same time.
public final class SSHChannel {
  /// The size of a terminal, in cells.
  public struct TerminalSize: Sendable, Hashable {
    /// The number of columns.
    public var columns: Int
    /// The number of lines.
    public var lines: Int

    /// Creates a size.
    public init(columns: Int, lines: Int) {
      self.columns = columns
      self.lines = lines
    }
  }

  /// The result of a read.
  enum Reading {
    case bytes(Int)
    case nothing
    case end
  }

  private enum Step {
    case opening, terminal, command, running
  }

  private let session: SSHSession
  private let handle: ChannelHandle
  private var command: String?
  private let terminal: (name: String, size: TerminalSize)?
  private var step = Step.opening
  /// The terminal size that is set before the command runs; nil to leave it unchanged.
  private var resized: TerminalSize?
  /// The number of bytes that were sent on this channel.
  public private(set) var sentBytes = 0

  /// Creates a channel, but sends nothing.
  ///
  /// Without a command, the channel opens as far as possible and then waits for ``run(_:size:)``.
  ///
  /// - Throws: `TerminalInitFailed` if memory is exhausted.
  init(
    _ session: SSHSession, command: String?, terminal: (name: String, size: TerminalSize)?
  ) throws(Failure) {
    handle = try session.makeChannel()
    self.session = session
    self.command = command
    self.terminal = terminal
  }

  /// Sets the command and the terminal's size, for a channel that was created without a command.
  func run(_ command: String, size: TerminalSize) {
    self.command = command
    guard let terminal, terminal.size != size else { return }
    resized = size
  }

  /// Continues opening the channel as far as possible without blocking.
  ///
  /// - Returns: `true` if the command runs.
  /// - Throws: `TerminalInitFailed` if the host refuses a step.
  func advance() throws(Failure) -> Bool {
    while true {
      let outcome: SSHOutcome?
      let next: Step
      switch step {
      case .running: return true
      case .opening:
        outcome = handle.open()
        next = terminal == nil ? .command : .terminal
      case .terminal:
        let size = terminal?.size ?? TerminalSize(columns: 80, lines: 24)
        outcome = handle.requestTerminal(
          terminal?.name ?? "", columns: size.columns, lines: size.lines)
        next = .command
      case .command:
        guard let command else { return false }
        if let size = resized { resize(size) }
        resized = nil
        outcome = handle.run(command)
        next = .running
      }
      switch outcome {
      case .done: step = next
      case nil: return false
      case .failed: throw refusal
      }
    }
  }

  private var refusal: Failure {
    guard session.isConnected else { return SSHConnection.lost(session.error) }
    let what =
      switch step {
      case .opening: "another channel"
      case .terminal: "a terminal"
      case .command, .running: "a command"
      }
    return Failure(
      .terminalInitFailed, "the host refused \(what)", kind: .channel,
      cause: Visible.line(session.error))
  }

  /// Reads available bytes.
  ///
  /// - Parameters:
  ///   - buffer: The buffer to fill.
  ///   - errors: `true` to read standard error.
  /// - Returns: The result.
  func read(into buffer: inout [UInt8], errors: Bool = false) -> Reading {
    let count = handle.read(into: &buffer, errors: errors)
    if count > 0 { return .bytes(count) }
    return count == 0 && !handle.isAtEnd && !handle.isClosed ? .nothing : .end
  }

  /// Reads and discards available bytes, using the given buffer.
  func discard(_ buffer: inout [UInt8]) {
    while case .bytes = read(into: &buffer) {}
    while case .bytes = read(into: &buffer, errors: true) {}
  }

  /// `true` if the host has closed the channel.
  ///
  /// The exit status is then final.
  var isClosed: Bool { handle.isClosed || !session.isConnected }

  /// The command's exit status; nil if a signal ended the command, or if the host reported none.
  var exitStatus: Int32? {
    let status = handle.exitStatus
    // A shell reports a signal by a status above 128.
    return 0...128 ~= status ? status : nil
  }

  /// Sends as many of the given bytes as the host accepts now.
  ///
  /// - Returns: The number of bytes that were sent.
  func write(_ bytes: [UInt8]) -> Int {
    let sent = handle.write(bytes)
    sentBytes += sent
    return sent
  }

  /// Reports the given terminal size to the host.
  func resize(_ size: TerminalSize) { handle.resize(columns: size.columns, lines: size.lines) }

  /// Sends the end of input.
  func sendEnd() {
    // Before it is open, the channel has no number at the host. The message would end another
    // channel.
    guard step != .opening else { return }
    handle.sendEnd()
  }

  /// Sends the end of input and closes the channel.
  func close() {
    guard step != .opening else { return }
    sendEnd()
    handle.close()
  }
}
