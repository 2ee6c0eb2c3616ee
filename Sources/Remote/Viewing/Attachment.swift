public import Core
import Tmux
import Foundation

/// Shows a remote tmux session on the terminal here, and leaves it as it is.
///
/// It attaches with a terminal of just the window's size, so that the window keeps it. Where the
/// terminal here is as large, the bytes go through; where it is smaller, they only tell that something
/// has changed: the screen is then captured and painted in part, around the cursor.
public final class Attachment {
  /// What a user wants of it.
  public struct Wishes: Sendable {
    /// Whether what is typed goes to the session.
    public var takesInput = false
    /// Whether the session's window takes the size of the terminal here.
    public var fits = false
    /// Whether the terminal here shows colours of 24 bits.
    public var hasTrueColor = false
    /// How many lines above the screen are left behind on the terminal here, to be scrolled to.
    public var history = 0
    /// What the terminal here is called (terminfo(5)).
    public var terminalName = "xterm-256color"
    /// The tmux program on the host, by an absolute path.
    public var tmux: String?

    /// What nobody wished otherwise.
    public init() {}

    /// Holds them against the configuration.
    ///
    /// - Throws: `PermissionDenied` for input that is forbidden.
    public func check(_ settings: Settings.TerminalSettings) throws(Failure) {
      guard takesInput, !settings.allowsInput else { return }
      throw Failure(
        .permissionDenied, "the configuration forbids input to terminals ('terminal.input')",
        kind: .inputForbidden)
    }

    /// Whether a person confirms them first.
    public func areConfirmed(_ settings: Settings.TerminalSettings) -> Bool {
      takesInput || settings.confirmsLooking
    }
  }

  /// What ends an attachment from here: Ctrl-].
  private static let detachKey: UInt8 = 0x1D
  /// Seconds between two captures: of a screen that is painted in part, and of one that only may have
  /// another size by now.
  private static let intervals = (cropped: 0.05, whole: 2.0)

  private let session: String
  private let host: String
  private let wishes: Wishes
  private let terminal: LocalTerminal
  private let signals: TerminalSignals

  private var filter = TerminalFilter()
  private var painter = ScreenPainter(columns: 80, lines: 24)
  private var input: [UInt8] = []
  /// What is read at once, kept because a flood reads again and again.
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var isOver = false
  private var hasLeftHistory = false
  /// How many bytes were sent to the session, over all connections.
  public private(set) var sentBytes = 0

  /// Creates an attachment; nothing happens yet.
  ///
  /// - Parameters:
  ///   - session: The session, by its exact name or its id.
  ///   - host: What the host is called.
  ///   - wishes: What a user wants of it.
  ///   - terminal: The terminal here.
  ///   - signals: Those that concern it.
  public init(
    to session: String, on host: String, wishes: Wishes, terminal: LocalTerminal,
    signals: TerminalSignals
  ) {
    self.session = session
    self.host = host
    self.wishes = wishes
    self.terminal = terminal
    self.signals = signals
  }

  /// Shows that the connection is lost, on the first line.
  private func tellLost(_ failure: Failure) {
    let text = Visible.line(failure.cause ?? failure.explanation)
    let line = " connection lost (\(text)), reconnecting; Ctrl-C quits ".prefix(
      terminal.size.columns)
    terminal.write(Array("\u{1B}[H\u{1B}[7m\(line)\u{1B}[m".utf8))
    painter.forget()
  }

  /// Shows the session until it ends, or the user leaves it, and connects again after a loss.
  ///
  /// - Parameters:
  ///   - reach: The way to the host.
  ///   - patience: For how many seconds one tries in vain to connect again.
  /// - Throws: What connecting throws, `TmuxSessionNotFound`, `TmuxNotFound`, `Interrupted`.
  public func run(_ reach: Reach, patience: Double) throws(Failure) {
    try Reconnection(to: reach, patience: patience).run(lost: { tellLost($0) }) {
      (connection, _) throws(Failure) in try run(connection)
    }
  }

  /// Shows the session over a connection until that is lost.
  private func run(_ connection: SSHConnection) throws(Failure) {
    while !isOver {
      // The terminal is asked for while the session is looked for: a round trip less or two.
      let early = try connection.begin(nil, terminal: (wishes.terminalName, terminal.size))
      defer { early.close() }
      let answer = try connection.run(
        try TmuxCommand.list(tmux: wishes.tmux).line, beside: early)
      let listed = try TmuxAnswer.named(session, in: try answer.sessions(host: host), on: host)
      try leaveHistory(connection, TmuxTarget(listed.session))
      var view = View(
        listed, target: TmuxTarget(listed.session), local: terminal.size, fits: wishes.fits)
      terminal.enter()
      // Dropbear closes a channel without a command when that of another ends.
      let channel =
        early.isClosed
        ? try connection.begin(nil, terminal: (wishes.terminalName, terminal.size)) : early
      defer { channel.close() }
      try show(connection, channel, &view)
    }
  }

  /// Writes the lines above the screen, once, before the terminal is taken.
  private func leaveHistory(
    _ connection: SSHConnection, _ target: TmuxTarget
  ) throws(Failure) {
    guard wishes.history > 0, !hasLeftHistory else { return }
    hasLeftHistory = true
    let command = try TmuxCommand.capture(
      target, escapes: false, history: wishes.history, tmux: wishes.tmux)
    let screen = try TmuxScreen(
      try connection.run(command.line), of: target, on: host, history: wishes.history)
    for line in screen.lines.prefix(screen.historyLines) {
      terminal.write(Array((Visible.text(String(decoding: line, as: UTF8.self)) + "\n").utf8))
    }
  }

  /// A session as it is shown with one channel.
  private struct View {
    let target: TmuxTarget
    let statusLines: Int
    var window: SSHChannel.TerminalSize
    var local: SSHChannel.TerminalSize
    let fits: Bool

    init(
      _ listed: ListedTerminal, target: TmuxTarget, local: SSHChannel.TerminalSize, fits: Bool
    ) {
      self.target = target
      statusLines = listed.statusLines
      window = SSHChannel.TerminalSize(columns: listed.session.width, lines: listed.session.height)
      self.local = local
      self.fits = fits
    }

    /// The size that the remote terminal has to have.
    var remote: SSHChannel.TerminalSize {
      fits
        ? local
        : SSHChannel.TerminalSize(columns: window.columns, lines: window.lines + statusLines)
    }

    /// Whether only a part of it can be shown.
    var isCropped: Bool { local.columns < remote.columns || local.lines < remote.lines }
  }

  // MARK: - Showing

  private func show(
    _ connection: SSHConnection, _ channel: SSHChannel, _ view: inout View
  ) throws(Failure) {
    let command = try TmuxCommand.attach(
      view.target, takesInput: wishes.takesInput, resizes: wishes.fits,
      hasTrueColor: wishes.hasTrueColor, tmux: wishes.tmux)
    channel.run(command.line, size: view.remote)
    try connection.start(channel, seconds: 30)
    painter = ScreenPainter(columns: view.local.columns, lines: view.local.lines)
    filter = TerminalFilter()
    var capture = Capture(view.target, tmux: wishes.tmux, host: host)
    capture.isWanted = view.isCropped
    var tail: [UInt8] = []
    while true {
      let isClosed = channel.isClosed
      let hasRead = try pass(channel, view, noting: &capture, tail: &tail)
      if let screen = try capture.advance(connection, interval: interval(view)) {
        show(screen, channel, &view)
      }
      if isClosed && !hasRead { break }
      try send(channel)
      try connection.checkLife()
      guard
        try wait(
          connection, channel, &view,
          milliseconds: hasRead ? 0 : capture.milliseconds(interval: interval(view)))
      else { return }
    }
    try end(channel, view.target, tail: tail)
  }

  private func interval(_ view: View) -> Double {
    view.isCropped ? Self.intervals.cropped : Self.intervals.whole
  }

  /// Passes on what came, or notes that something did.
  private func pass(
    _ channel: SSHChannel, _ view: View, noting capture: inout Capture, tail: inout [UInt8]
  ) throws(Failure) -> Bool {
    var hasRead = false
    // Not for ever: keys and sizes want to be seen in a flood, too.
    for _ in 0..<16 {
      guard case .bytes(let count) = channel.read(into: &buffer) else { break }
      hasRead = true
      capture.isWanted = true
      tail = Array((tail + buffer[..<count].suffix(2048)).suffix(2048))
      if !view.isCropped { terminal.write(filter.filtered(buffer[..<count])) }
    }
    return hasRead
  }

  /// Paints a captured screen where one is shown in part, and follows the window's size.
  private func show(_ screen: TmuxScreen, _ channel: SSHChannel, _ view: inout View) {
    let window = SSHChannel.TerminalSize(columns: screen.windowWidth, lines: screen.windowHeight)
    if window != view.window {
      view.window = window
      if !view.fits { channel.resize(view.remote) }
    }
    if view.isCropped { terminal.write(painter.paint(screen)) }
  }

  private func send(_ channel: SSHChannel) throws(Failure) {
    guard !input.isEmpty else { return }
    let count = channel.write(input)
    sentBytes += count
    input.removeFirst(count)
  }

  /// Waits for what comes next from anywhere.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - channel: What the session is shown by.
  ///   - view: How it is shown.
  ///   - milliseconds: How long at most.
  /// - Returns: Whether this channel still serves: not when the user left, or the terminal has grown so
  ///   that all of the screen can be shown, or shrunk.
  /// - Throws: `StreamInterrupted`, `Interrupted`.
  private func wait(
    _ connection: SSHConnection, _ channel: SSHChannel, _ view: inout View, milliseconds: Int32
  ) throws(Failure) -> Bool {
    let keys = pollfd(
      fd: input.count < 4096 ? terminal.descriptor : -1, events: Int16(POLLIN), revents: 0)
    var others = [keys, pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)]
    try connection.turn(&others, within: milliseconds)
    if others[0].revents != 0, try !readKeys() {
      isOver = true
      return false
    }
    guard others[1].revents != 0 else { return true }
    let wasCropped = view.isCropped
    let received = signals.received()
    if received.contains(SIGTSTP) { signals.stop(terminal) }
    view.local = terminal.size
    if view.fits, !received.contains(SIGTSTP) {
      channel.resize(view.local)
      return true
    }
    // A tmux that draws anew is simplest asked for by attaching anew.
    guard wasCropped, view.isCropped else { return false }
    painter.resize(columns: view.local.columns, lines: view.local.lines)
    painter.forget()
    return true
  }

  /// Reads what was typed; without input only our own key is looked for.
  ///
  /// - Returns: Whether the user stays.
  private func readKeys() throws(Failure) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(terminal.descriptor, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
    let typed = bytes[..<count]
    guard let key = typed.firstIndex(of: Self.detachKey) else {
      if wishes.takesInput { input += typed }
      return true
    }
    if wishes.takesInput { input += typed[..<key] }
    return false
  }

  /// The channel has ended: because the session has, or the client was detached there.
  private func end(
    _ channel: SSHChannel, _ target: TmuxTarget, tail: [UInt8]
  ) throws(Failure) {
    guard let status = channel.exitStatus else {
      throw SSHConnection.lost("the channel was closed")
    }
    isOver = true
    guard status != 0 else { return }
    // With a terminal, errors come on the same stream.
    try TmuxAnswer(status: status, output: [], errors: tail).check(target, on: host)
  }
}
