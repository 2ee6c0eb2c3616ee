public import Core
import Foundation
import Tmux

/// A view of a remote tmux session on the local terminal.
///
/// By default, the view does not resize the session.
///
/// A tmux client is attached whose terminal is exactly as large as the window, so that tmux does
/// not resize the window. If the local terminal is large enough, it receives the client's output.
/// Otherwise, the output only signals a change. The screen is then captured, and the part around
/// the cursor is painted.
public final class Attachment {
  /// The user's options for the view.
  public struct Wishes: Sendable {
    /// `true` if typed keys are sent to the session.
    public var takesInput = false
    /// `true` if the session's window is resized to the local terminal.
    public var fits = false
    /// `true` if the local terminal shows 24-bit colours.
    public var hasTrueColor = false
    /// The number of lines above the screen that are written to the local terminal's scrollback.
    public var history = 0
    /// The type of the local terminal (terminfo(5)).
    public var terminalName = "xterm-256color"
    /// The absolute path of tmux on the host; nil for the one in the PATH.
    public var tmux: String?

    /// Creates the default options.
    public init() {}

    /// Checks the options against the configuration.
    ///
    /// - Throws: `PermissionDenied` if the configuration forbids input.
    public func check(_ settings: Settings.TerminalSettings) throws(Failure) {
      guard takesInput, !settings.allowsInput else { return }
      throw Failure(
        .permissionDenied, "the configuration forbids input to terminals ('terminal.input')",
        kind: .inputForbidden)
    }

    /// Returns `true` if the configuration requires the user to confirm the view first.
    public func areConfirmed(_ settings: Settings.TerminalSettings) -> Bool {
      takesInput || settings.confirmsLooking
    }
  }

  /// The key that ends the view: Ctrl-].
  private static let detachKey: UInt8 = 0x1D
  /// The minimum intervals between two captures, in seconds.
  ///
  /// `cropped` applies while only a part of the screen is shown. `whole` applies otherwise, when
  /// captures only check the window's size.
  private static let intervals = (cropped: 0.05, whole: 2.0)

  /// The time for which the messages of the first connection stay, in milliseconds.
  private static let reading: Int32 = 3000

  private let session: String
  private let host: String
  private let wishes: Wishes
  private let terminal: LocalTerminal
  private let signals: TerminalSignals
  private let bar: ViewBar
  private let hasNews: () -> Bool

  private var filter = TerminalFilter()
  private var painter = ScreenPainter(columns: 80, lines: 24)
  private var input: [UInt8] = []
  /// The buffer for reading, allocated once because a flood of output is read very often.
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var isOver = false
  private var hasLeftHistory = false
  /// The number of bytes that were sent to the session, over all connections.
  public private(set) var sentBytes = 0

  /// Creates a view without connecting.
  ///
  /// - Parameters:
  ///   - session: The session's exact name or its ID.
  ///   - host: The host's name for messages.
  ///   - wishes: The user's options.
  ///   - terminal: The local terminal.
  ///   - signals: The signals of the local terminal.
  ///   - hasNews: A closure that returns `true` if the user was told something that the screen
  ///     would hide at once, such as the key of a new host.
  public init(
    to session: String, on host: String, wishes: Wishes, terminal: LocalTerminal,
    signals: TerminalSignals, hasNews: @escaping () -> Bool = { false }
  ) {
    self.session = session
    self.host = host
    self.wishes = wishes
    self.terminal = terminal
    self.signals = signals
    self.hasNews = hasNews
    bar = ViewBar(takesInput: wishes.takesInput)
  }

  /// Reports on the first line of the terminal that the connection is lost.
  private func showLost(_ failure: Failure) {
    let text = Visible.line(failure.cause ?? failure.explanation)
    let line = " connection lost (\(text)), reconnecting; Ctrl-C quits ".prefix(
      terminal.size.columns)
    terminal.write(Array("\u{1B}[H\u{1B}[7m\(line)\u{1B}[m".utf8))
    painter.forget()
  }

  /// Shows the session until it ends or the user detaches.
  ///
  /// A lost connection is replaced by a new one.
  ///
  /// - Parameters:
  ///   - reach: The route to the host.
  ///   - patience: The maximum time of attempts to reconnect, in seconds.
  /// - Throws: `TmuxSessionNotFound` if there is no such session; `TmuxNotFound` if the host has no
  ///   tmux; `Interrupted` if the process is to end; the errors of ``Reach/connect()``.
  public func run(_ reach: Reach, patience: Double) throws(Failure) {
    var isFirst = true
    try Reconnection(to: reach, patience: patience).run(lost: { showLost($0) }) {
      (connection, _) throws(Failure) in
      if isFirst, hasNews() { try showNews(reach.connector.interruption) }
      isFirst = false
      try run(connection)
    }
  }

  /// Leaves time to read what stands on the terminal before the screen covers it.
  ///
  /// The user can shorten it.
  private func showNews(_ interruption: Interruption) throws(Failure) {
    terminal.write(Array("press Enter to show the session at once\n".utf8))
    var waited = [pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0)]
    try interruption.wait(for: &waited, within: Self.reading)
    guard waited[0].revents != 0 else { return }
    var line = [UInt8](repeating: 0, count: 1024)
    // The line is only a sign to go on.
    _ = read(terminal.descriptor, &line, line.count)
  }

  /// Shows the session over the given connection.
  ///
  /// Returns when the session ends, the user detaches, or the connection is lost.
  private func run(_ connection: SSHConnection) throws(Failure) {
    while !isOver {
      // The terminal is requested while the session is looked up, to save round trips.
      let early = try connection.begin(nil, terminal: (wishes.terminalName, terminal.size))
      defer { early.close() }
      let answer = try connection.run(
        try TmuxCommand.list(tmux: wishes.tmux).line, beside: early)
      let listed = try TmuxAnswer.named(session, in: try answer.sessions(host: host), on: host)
      try leaveHistory(connection, TmuxTarget(listed.session))
      var view = View(
        listed, target: TmuxTarget(listed.session), local: terminal.size, fits: wishes.fits)
      terminal.enter()
      // Dropbear closes a channel without a command as soon as another channel ends.
      let channel =
        early.isClosed
        ? try connection.begin(nil, terminal: (wishes.terminalName, terminal.size)) : early
      defer { channel.close() }
      try show(connection, channel, &view)
    }
  }

  /// Writes the lines above the screen to the terminal's scrollback, once, before the view begins.
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

  /// The state of a view over one channel.
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

    /// The size that the terminal of the remote client must have.
    var remote: SSHChannel.TerminalSize {
      fits
        ? local
        : SSHChannel.TerminalSize(columns: window.columns, lines: window.lines + statusLines)
    }

    /// `true` if only a part of the screen fits into the local terminal.
    var isCropped: Bool { local.columns < remote.columns || local.lines < remote.lines }

    /// `true` if the screen has as many lines as the local terminal.
    var isFull: Bool { !isCropped && local.lines == remote.lines }
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
    painter = ScreenPainter(
      columns: view.local.columns, lines: ViewBar.room(in: view.local.lines))
    terminal.write(bar.drawn(on: view.local, isOver: view.isFull))
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

  /// Writes received bytes to the terminal unless the view is cropped, and notes that a capture is
  /// due.
  private func pass(
    _ channel: SSHChannel, _ view: View, noting capture: inout Capture, tail: inout [UInt8]
  ) throws(Failure) -> Bool {
    var hasRead = false
    // The loop is bounded, since keys and resizes must be handled in a flood, too.
    for _ in 0..<16 {
      guard case .bytes(let count) = channel.read(into: &buffer) else { break }
      hasRead = true
      capture.isWanted = true
      tail = Array((tail + buffer[..<count].suffix(2048)).suffix(2048))
      guard !view.isCropped else { continue }
      let output = filter.filtered(buffer[..<count])
      terminal.write(bar.kept(after: output, on: view.local, isOver: view.isFull))
    }
    return hasRead
  }

  /// Paints the given screen if the view is cropped, and adopts the window's size.
  private func show(_ screen: TmuxScreen, _ channel: SSHChannel, _ view: inout View) {
    let window = SSHChannel.TerminalSize(columns: screen.windowWidth, lines: screen.windowHeight)
    if window != view.window {
      view.window = window
      if !view.fits { channel.resize(view.remote) }
    }
    if view.isCropped {
      terminal.write(bar.kept(after: painter.paint(screen), on: view.local))
    }
  }

  private func send(_ channel: SSHChannel) throws(Failure) {
    guard !input.isEmpty else { return }
    let count = channel.write(input)
    sentBytes += count
    input.removeFirst(count)
  }

  /// Waits for received bytes, typed keys or signals, and handles the keys and signals.
  ///
  /// - Parameters:
  ///   - connection: The connection to the host.
  ///   - channel: The channel that shows the session.
  ///   - view: The state of the view.
  ///   - milliseconds: The maximum wait.
  /// - Returns: `false` if the channel is no longer needed, because the user left or the new
  ///   terminal size requires another client.
  /// - Throws: `StreamInterrupted` if the connection is lost; `Interrupted` if the process is to
  ///   end.
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
    // The simplest way to make tmux redraw is to attach again.
    guard wasCropped, view.isCropped else { return false }
    painter.resize(columns: view.local.columns, lines: ViewBar.room(in: view.local.lines))
    painter.forget()
    return true
  }

  /// Reads typed keys.
  ///
  /// If the view accepts no input, only the keys that leave it have an effect.
  ///
  /// - Returns: `false` if the user detached or the terminal is gone.
  private func readKeys() throws(Failure) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(terminal.descriptor, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
    let typed = bytes[..<count]
    guard wishes.takesInput else { return !ViewBar.isLeft(by: typed) }
    guard let key = typed.firstIndex(of: Self.detachKey) else {
      input += typed
      return true
    }
    input += typed[..<key]
    return false
  }

  /// Handles the end of the channel.
  ///
  /// The session has ended, or its client was detached.
  private func end(
    _ channel: SSHChannel, _ target: TmuxTarget, tail: [UInt8]
  ) throws(Failure) {
    guard let status = channel.exitStatus else {
      throw SSHConnection.lost("the channel was closed")
    }
    isOver = true
    guard status != 0 else { return }
    // On a terminal, errors arrive on the same stream as output.
    try TmuxAnswer(status: status, output: [], errors: tail).check(target, on: host)
  }
}
