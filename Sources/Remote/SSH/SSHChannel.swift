import Core

/// A channel on which one command runs.
///
/// It is opened step by step, so that several are opened in the time of one.
public final class SSHChannel {
  /// A terminal's size, in cells.
  public struct TerminalSize: Sendable, Hashable {
    /// The columns.
    public var columns: Int
    /// The lines.
    public var lines: Int

    /// Creates a size.
    public init(columns: Int, lines: Int) {
      self.columns = columns
      self.lines = lines
    }
  }

  /// What reading came to.
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
  /// The size that the terminal is to have before the command runs.
  private var resized: TerminalSize?
  /// How many bytes were sent on it.
  public private(set) var sentBytes = 0

  /// Takes up a channel; nothing is sent yet.
  ///
  /// Without a command it goes as far as it can, until ``run(_:size:)`` says what to run.
  ///
  /// - Throws: `TerminalInitFailed` without memory.
  init(
    _ session: SSHSession, command: String?, terminal: (name: String, size: TerminalSize)?
  ) throws(Failure) {
    handle = try session.makeChannel()
    self.session = session
    self.command = command
    self.terminal = terminal
  }

  /// Says what is to run on a terminal that was asked for without that, and the size it then has to have.
  func run(_ command: String, size: TerminalSize) {
    self.command = command
    guard let terminal, terminal.size != size else { return }
    resized = size
  }

  /// Takes the next steps that need no waiting.
  ///
  /// - Returns: Whether the command runs.
  /// - Throws: `TerminalInitFailed` when the host refuses.
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

  /// Reads what has come.
  ///
  /// - Parameters:
  ///   - buffer: Where to; as much as it holds.
  ///   - errors: Whether what was written as errors is read.
  /// - Returns: How much it was.
  func read(into buffer: inout [UInt8], errors: Bool = false) -> Reading {
    let count = handle.read(into: &buffer, errors: errors)
    if count > 0 { return .bytes(count) }
    return count == 0 && !handle.isAtEnd && !handle.isClosed ? .nothing : .end
  }

  /// Reads what has come and forgets it.
  func discard(_ buffer: inout [UInt8]) {
    while case .bytes = read(into: &buffer) {}
    while case .bytes = read(into: &buffer, errors: true) {}
  }

  /// Whether the host has closed it, so that its exit status is known if there is one.
  var isClosed: Bool { handle.isClosed || !session.isConnected }

  /// The command's exit status; nil when a signal ended it, or the host told none.
  var exitStatus: Int32? {
    let status = handle.exitStatus
    // A shell tells of a signal by a status above 128.
    return 0...128 ~= status ? status : nil
  }

  /// Sends as much as the host takes now.
  ///
  /// - Returns: How many bytes went.
  func write(_ bytes: [UInt8]) -> Int {
    let sent = handle.write(bytes)
    sentBytes += sent
    return sent
  }

  /// Tells the host the terminal's new size.
  func resize(_ size: TerminalSize) { handle.resize(columns: size.columns, lines: size.lines) }

  /// Says that nothing more is sent.
  func sendEnd() {
    // One that is not open yet has no number at the host: that of another would be told.
    guard step != .opening else { return }
    handle.sendEnd()
  }

  /// Says that nothing more is sent, and that nothing more is wanted.
  func close() {
    guard step != .opening else { return }
    sendEnd()
    handle.close()
  }
}
